// The hooks of moments that main alone sees: a session begins and ends, a person is needed, tasks come onto the board
// and are completed, a teammate has run out of work.

import type { HookPayloads, NotificationKind } from "../../hooks/events.ts";
import type { Clock, TimerHandle } from "../../lib/clock.ts";
import { toClaudeToolName } from "../../lib/tool-aliases.ts";
import type { PermissionPrompt } from "../../permissions/prompt.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { TaskOwner } from "../../tasks/task.ts";
import type { TaskGate } from "../../tasks/task-calls.ts";
import type { HooksResult } from "../../wire/requests.ts";
import type { HookRelay } from "./hook-relay.ts";

export type SessionSource = HookPayloads["SessionStart"]["source"];
/** Claude Code's words for why a session ends. */
export type SessionEndReason = "clear" | "prompt_input_exit" | "other";

export interface HookMoments {
	/** What the hooks say to the agent that begins. */
	sessionStart(source: SessionSource): Promise<string | undefined>;
	/** Bounded: a program that ends does not wait for long. */
	sessionEnd(reason: SessionEndReason): Promise<void>;
	/** A person is asked for permission. */
	needsPermission(prompt: PermissionPrompt): void;
	/** A person is asked a question. */
	needsAnswer(run: LiveRun, question: string): void;
	/** Tells, some time after a lead has come to rest, that it waits for the person. */
	followLead(run: LiveRun): void;
	/** Why an idle teammate shall go on working; undefined when it may rest. */
	teammateIdle(run: LiveRun): Promise<string | undefined>;
	/** Asked before a task comes onto the board or is completed. */
	readonly taskGate: Required<TaskGate>;
}

export interface HookMomentParts {
	readonly relay: HookRelay;
	readonly clock: Clock;
	/** Somebody sits in front of it. */
	readonly hasPerson: boolean;
	findRun(id: string): LiveRun | undefined;
}

const SESSION_END_MS = 10_000;
const IDLE_MS = 60_000;

export function createHookMoments({ relay, clock, hasPerson, findRun }: HookMomentParts): HookMoments {
	function notify(run: LiveRun | undefined, notificationType: NotificationKind, message: string): void {
		void relay.fire("Notification", { message, notificationType }, { run });
	}

	async function askAboutTask(
		event: "TaskCreated" | "TaskCompleted",
		task: { readonly id: string; readonly title: string },
		caller: TaskOwner | undefined,
	): Promise<string | undefined> {
		const run = caller && findRun(caller.id);
		const name = run && run.spec.kind !== "lead" ? { teammateName: run.spec.name } : {};
		return objectionIn(await relay.fire(event, { taskId: task.id, taskSubject: task.title, ...name }, { run }));
	}

	return {
		sessionStart: async (source) => (await relay.fire("SessionStart", { source })).context,
		sessionEnd: async (reason) => {
			if (!relay.listensTo("SessionEnd")) return;
			const late = new AbortController();
			const timer = clock.after(SESSION_END_MS, () => late.abort(), { keepAlive: true });
			await relay.fire("SessionEnd", { reason }, { signal: late.signal });
			timer.cancel();
		},
		needsPermission: ({ toolName, agent }) =>
			notify(
				findRun(agent.runId),
				"permission_prompt",
				`Clowder needs your permission to use ${toClaudeToolName(toolName)}`,
			),
		needsAnswer: (run, question) => notify(run, "elicitation_dialog", `${run.spec.name} asks: ${question}`),
		followLead: (run) => {
			if (!hasPerson || !relay.listensTo("Notification")) return;
			let waiting: TimerHandle | undefined;
			run.events.on("event", ({ type }) => {
				if (type !== "prompt-started" && type !== "prompt-finished" && type !== "ended") return;
				waiting?.cancel();
				if (type !== "prompt-finished") return;
				waiting = clock.after(IDLE_MS, () => {
					if (run.isTerminal || run.prompts.busy || run.children.size > 0) return;
					notify(run, "idle_prompt", "Clowder is waiting for your input");
				});
			});
		},
		teammateIdle: async (run) => (await relay.fire("TeammateIdle", { teammateName: run.spec.name }, { run })).blocked,
		taskGate: {
			mayCreate: (task, caller) => askAboutTask("TaskCreated", task, caller),
			mayComplete: (task, caller) => askAboutTask("TaskCompleted", task, caller),
		},
	};
}

function objectionIn({ blocked, stop }: HooksResult): string | undefined {
	return blocked ?? stop;
}
