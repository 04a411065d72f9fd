// The lead: the agent that talks with the person. To the supervisor it is one more agent in a thread of its own;
// what is special is that its conversation outlives its thread. When the thread dies, the prompt in hand fails with
// the reason, and the next prompt goes to a new thread with the same history.

import { ClowderError, messageOf } from "../../errors.ts";
import { createDeferred } from "../../lib/deferred.ts";
import { createEmitter, type Unsubscribe } from "../../lib/emitter.ts";
import { newId } from "../../lib/ids.ts";
import type { LiveRun, RunEvent } from "../../supervision/live-run.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { RunLimits, RunOutcome, UsageTotals } from "../../wire/run.ts";
import { NO_TOTALS } from "../../wire/run-names.ts";
import type { SessionEndReason } from "../hooks/hook-moments.ts";
import type { LeadSession } from "../hooks/lead-session.ts";
import { checkCall, checkListener } from "../options/call-inputs.ts";
import type { TeamWork } from "../rooms/team.ts";
import { addTotals } from "../totals.ts";
import type { ExpandedPrompt, ExpandPrompt } from "../typed/expand-prompt.ts";
import type { RunNote } from "./run-notes.ts";

/** How one prompt of the lead ended. */
export interface PromptResult extends RunOutcome {
	/** Set when the lead woke by itself because something it waited for had come in. */
	readonly woken: boolean;
}

export interface Lead {
	readonly name: string;
	/** The model it asks for, and the names of its tools. */
	readonly model: string;
	readonly tools: readonly string[];
	/** Id of the run that carries the conversation now; another one after a crash. */
	readonly runId: string;
	/** The lead works on a prompt, or one is queued or being expanded. */
	readonly busy: boolean;
	/** What all its threads together used. */
	readonly usage: UsageTotals;
	/** The same, with all runs below it. */
	readonly treeUsage: UsageTotals;
	/**
	 * Lets another model answer from the next prompt on, with the same conversation.
	 *
	 * @returns its full id. @throws ERR_BAD_OPTION where this session's provider has no such choice
	 */
	useModel(name: string): string;
	/**
	 * Queues a prompt.
	 *
	 * **Ordering**: one at a time, first in first out. **Cancellation**: `interrupt`.
	 * Resolves when the turn has ended, with the reason; never rejects for what goes wrong in the agent.
	 *
	 * @throws ERR_BAD_INPUT for what is no text or empty, ERR_CLOSED
	 */
	prompt(text: string): Promise<PromptResult>;
	/**
	 * What a line that a person typed asks: the prompt of a `/command` or skill with the output of its commands, and the
	 * files it names with `@path` added to it. Asks nothing of the model.
	 *
	 * **Ordering**: none; one that takes its time holds up no other. Each command ends after two minutes, as any of `bash`,
	 * which is told in the notes. **Cancellation**: `interrupt`. @throws ERR_ABORTED then
	 */
	expand(typed: string): Promise<ExpandedPrompt>;
	/** Stops the prompt in hand; the conversation stays and remains valid. */
	interrupt(why?: string): void;
	/**
	 * Resolves when nothing is left to do: no prompt, no background subagent, no mail, no teammate that works. With the last prompt's end.
	 * What the lead answers when it is woken meanwhile comes as `prompt-finished` events.
	 */
	settled(): Promise<PromptResult>;
	/** Shortens the conversation, keeping what is about `focus`; resolves with a line on what was done. */
	compact(focus?: string): Promise<PromptResult>;
	/** Forgets the conversation: stops its subagents and the prompt in hand, and starts with an empty history. */
	clear(): Promise<void>;
	/** Every event of the lead's runs, over restarts of its thread. */
	on(listener: (event: RunEvent) => void): Unsubscribe;
	/** @param sessionEnd what SessionEnd hooks are told. @default "other" */
	close(why?: string, sessionEnd?: SessionEndReason): Promise<void>;
}

export interface LeadParts {
	readonly supervisor: RunSupervisor;
	readonly name: string;
	readonly agentType: string;
	readonly limits: RunLimits;
	readonly model: string;
	readonly tools: readonly string[];
	readonly session: LeadSession;
	/** Called with the id of each run that carries the conversation, before it starts. */
	onRun(runId: string, facts: Pick<RunNote, "model" | "startContext">): void;
	/** The full id of a model, and that its next prompt goes to it. @throws ERR_BAD_OPTION */
	switchModel(runId: string, name: string): string;
	treeUsage(runIds: readonly string[]): UsageTotals;
	/** Makes the stored conversation empty. */
	emptyHistory(): Promise<void>;
	hasMail(run: LiveRun): boolean;
	/** The agents that work beside it. */
	readonly team: TeamWork;
	/** A prompt was accepted. */
	onPrompt(text: string): void;
	onWarning(text: string): void;
	readonly expand: ExpandPrompt;
}

export function createLead(parts: LeadParts): Lead {
	const { supervisor, name } = parts;
	const events = createEmitter<{ event: RunEvent; moved: undefined }>((thrown) => parts.onWarning(messageOf(thrown)));
	let usedBefore = NO_TOTALS;
	let last: PromptResult = { reason: "done", finalText: "", woken: false };
	let closed = false;
	let model = parts.model;
	const expanding = new Set<AbortController>();
	const runIds: string[] = [];
	let run = start();

	function start(): LiveRun {
		const id = newId("lead");
		const startContext = parts.session.begin();
		runIds.push(id);
		parts.onRun(id, { model, ...(startContext === undefined ? {} : { startContext }) });
		const next = supervisor.accept({
			id,
			kind: "lead",
			name,
			description: "the conversation with the person",
			prompt: "",
			agentType: parts.agentType,
			depth: 0,
			background: false,
			limits: parts.limits,
		});
		next.events.on("event", (event) => {
			if (event.type === "prompt-finished") last = { ...event.outcome, woken: event.woken };
			if (event.type === "ended") usedBefore = addTotals(usedBefore, event.record.usage);
			events.emit("event", event);
			events.emit("moved", undefined);
		});
		return next;
	}

	const moved = () => events.emit("moved", undefined);
	const watches = [supervisor.onRunChanged(moved), parts.team.onMoved(moved)];

	function isSettled(): boolean {
		// Teammates may still write to a lead whose thread has died: the next prompt of it reads that.
		if (run.isTerminal) return true;
		if (!parts.team.atRest) return false;
		return !run.prompts.busy && run.children.size === 0 && !parts.hasMail(run);
	}

	return {
		name,
		get model() {
			return model;
		},
		tools: parts.tools,
		get runId() {
			return run.spec.id;
		},
		get busy() {
			return run.prompts.busy || expanding.size > 0;
		},
		get usage() {
			return run.isTerminal ? usedBefore : addTotals(usedBefore, run.usage());
		},
		get treeUsage() {
			return parts.treeUsage(runIds);
		},
		useModel: (wanted) => {
			checkCall("lead.useModel", { text: wanted });
			model = parts.switchModel(run.spec.id, wanted);
			return model;
		},
		prompt: async (text) => {
			checkCall("lead.prompt", { text });
			if (closed) throw new ClowderError("ERR_CLOSED", `The lead '${name}' is closed`);
			if (run.isTerminal) run = start();
			parts.onPrompt(text);
			const outcome = await supervisor.prompt(run, text);
			last = { ...outcome, woken: false };
			return last;
		},
		expand: async (typed) => {
			checkCall("lead.expand", { text: typed });
			if (closed) throw new ClowderError("ERR_CLOSED", `The lead '${name}' is closed`);
			if (run.isTerminal) run = start();
			const abort = new AbortController();
			expanding.add(abort);
			return parts.expand(run, typed, abort.signal).finally(() => expanding.delete(abort));
		},
		interrupt: (why = "interrupted") => {
			for (const abort of expanding) abort.abort();
			supervisor.interrupt(run, why);
		},
		settled: async () => {
			while (!isSettled()) {
				const moved = createDeferred();
				const unsubscribe = events.on("moved", moved.resolve);
				// Race: what moved between the look and the subscription is seen by the second look.
				if (!isSettled()) await moved.promise;
				unsubscribe();
			}
			return last;
		},
		compact: async (focus = "") => {
			if (run.isTerminal) run = start();
			return { ...(await supervisor.compact(run, focus)), woken: false };
		},
		clear: async () => {
			await parts.session.end("clear");
			await supervisor.cancel(run.spec.id, { reason: "cancelled", why: "the conversation was cleared" });
			await parts.emptyHistory();
			last = { reason: "done", finalText: "", woken: false };
		},
		on: (listener) => {
			checkListener("lead.on", listener);
			return events.on("event", listener);
		},
		close: async (why = "the conversation was closed", sessionEnd = "other") => {
			closed = true;
			for (const abort of expanding) abort.abort();
			await parts.session.end(sessionEnd);
			await supervisor.cancel(run.spec.id, { reason: "cancelled", why });
			for (const stopWatching of watches) stopWatching();
			events.removeAll();
		},
	};
}
