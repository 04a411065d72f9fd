// Calls that wait for a person. First in, first out by request id; answers come in any order. Nobody to ask is an
// immediate denial, never a hang. While an agent waits, onWait lets the supervisor stop its clocks.

import { ClowderError, messageOf } from "../errors.ts";
import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { shown } from "../lib/shown.ts";
import type { AuthorizeResult } from "../wire/requests.ts";
import type { ApprovalStore } from "./approvals.ts";
import type { Decision, PermissionCall } from "./call.ts";
import { createDenialLog } from "./denial-log.ts";
import type { PermissionEngine } from "./engine.ts";
import {
	ANSWERS,
	isPermissionAnswer,
	type PermissionAnswer,
	type PermissionDenial,
	type PermissionPrompt,
	type PromptEnd,
	promptFor,
} from "./prompt.ts";
import { createWaitCounter } from "./wait-counter.ts";

export interface PermissionQueueOptions {
	readonly engine: PermissionEngine;
	readonly approvals: ApprovalStore;
	readonly clock: Clock;
	/** Shows a prompt to a person. Absent = nobody can answer. */
	readonly onPrompt?: (prompt: PermissionPrompt) => void;
	/** A prompt is off the list and need not be shown any longer. */
	readonly onPromptEnd?: (requestId: string, end: PromptEnd) => void;
	/** An agent starts to wait for a person (true), or no longer waits for any (false). */
	readonly onWait?: (runId: string, waiting: boolean) => void;
	/** Writes the rules of an "always" where they outlive the process. */
	readonly persistAlways?: (rules: readonly string[]) => Promise<void>;
	/** Longest wait for an answer, in ms; absent = for ever. */
	readonly answerTimeoutMs?: number;
}

export interface AnswerReceipt {
	/** False when nobody waits for this answer (any longer). */
	readonly settled: boolean;
	/** The answer holds, but less far than it was meant. */
	readonly warning?: string;
}

export interface PermissionQueue {
	/**
	 * May this call run? Settles once.
	 *
	 * **Cancellation**: rejects with ERR_ABORTED when the signal aborts or the agent is withdrawn; that is no denial.
	 */
	request(call: PermissionCall, signal?: AbortSignal): Promise<AuthorizeResult>;
	/** Answers a prompt. Resolves when an "always" is written. What is no answer denies, and no person has. */
	answer(requestId: string, answer: PermissionAnswer): Promise<AnswerReceipt>;
	/** Nobody could be asked: denies, and tells the agent why. */
	refuse(requestId: string, why: string): void;
	/** Prompts that wait, oldest first. */
	pending(): readonly PermissionPrompt[];
	/** Judges everything that waits again: after a change of rules or mode. */
	recheck(): void;
	/** The agent is gone: nobody may be asked for it. */
	withdraw(runId: string): void;
	denials(): readonly PermissionDenial[];
	/** Who is to be shown prompts from now on; `undefined` denies all that wait. */
	setPromptHandler(handler: ((prompt: PermissionPrompt) => void) | undefined): void;
}

interface Waiting {
	readonly call: PermissionCall;
	readonly prompt: PermissionPrompt;
	readonly result: Deferred<AuthorizeResult>;
	release(): void;
}

export function createPermissionQueue(options: PermissionQueueOptions): PermissionQueue {
	const { engine, approvals, clock } = options;
	const waiting = new Map<string, Waiting>();
	const denials = createDenialLog();
	const waits = createWaitCounter((runId, isWaiting) => options.onWait?.(runId, isWaiting));
	let show = options.onPrompt;
	let lastId = 0;

	function judge(call: PermissionCall): Decision {
		try {
			return engine.decide(call);
		} catch (thrown) {
			// A call that cannot be judged does not run.
			return { decision: "deny", message: `Permission denied: the call could not be judged: ${messageOf(thrown)}` };
		}
	}

	function denied(call: PermissionCall, reason: PermissionDenial["reason"], message: string): AuthorizeResult {
		denials.add(call, reason, message);
		return { decision: "deny", message };
	}

	function wait(
		call: PermissionCall,
		prompt: PermissionPrompt,
		signal: AbortSignal | undefined,
	): Promise<AuthorizeResult> {
		const result = createDeferred<AuthorizeResult>();
		const onAbort = () => abort(prompt.requestId, "The call was cancelled before anyone answered");
		signal?.addEventListener("abort", onAbort, { once: true });
		const timer = startTimeout(prompt.requestId);
		waiting.set(prompt.requestId, {
			call,
			prompt,
			result,
			release() {
				signal?.removeEventListener("abort", onAbort);
				timer?.cancel();
			},
		});
		waits.start(call.agent.runId);
		return result.promise;
	}

	function startTimeout(requestId: string): TimerHandle | undefined {
		const { answerTimeoutMs } = options;
		if (answerTimeoutMs === undefined) return undefined;
		return clock.after(answerTimeoutMs, () => {
			const seconds = Math.round(answerTimeoutMs / 1000);
			const message = `Permission denied: nobody answered within ${seconds} s; no person has refused it`;
			finish(requestId, "timeout", (each) => each.result.resolve(denied(each.call, "timeout", message)));
		});
	}

	/** Takes one prompt off the list and settles it; false when it is gone already. */
	function finish(requestId: string, end: PromptEnd, settle: (waiting: Waiting) => void): boolean {
		const found = waiting.get(requestId);
		if (!found) return false;
		waiting.delete(requestId);
		found.release();
		settle(found);
		options.onPromptEnd?.(requestId, end);
		waits.stop(found.call.agent.runId);
		return true;
	}

	function abort(requestId: string, reason: string): void {
		finish(requestId, "withdrawn", (each) => each.result.reject(new ClowderError("ERR_ABORTED", reason)));
	}

	function recheck(): void {
		for (const [requestId, { call }] of [...waiting]) {
			const decision = judge(call);
			if (decision.decision === "ask") continue;
			finish(requestId, "covered", (each) =>
				each.result.resolve(
					decision.decision === "allow" ? { decision: "allow" } : denied(each.call, "policy", decision.message),
				),
			);
		}
	}

	async function accept(found: Waiting, scope: "once" | "conversation" | "always"): Promise<AnswerReceipt> {
		const { call, prompt } = found;
		const covers = scope !== "once" && prompt.suggestions.length > 0;
		const rules = covers ? prompt.suggestions : [];
		approvals.add({ scope: covers ? scope : "once", rules, agent: call.agent.name, toolName: call.toolName });
		finish(prompt.requestId, "answered", (each) => each.result.resolve({ decision: "allow" }));
		if (!covers) {
			const warning = "Allowed this once: no rule can cover a call like this";
			return scope === "once" ? { settled: true } : { settled: true, warning };
		}
		recheck();
		if (scope === "conversation") return { settled: true };
		if (!options.persistAlways)
			return { settled: true, warning: "Allowed until this program ends: there is no file to write it to" };
		try {
			await options.persistAlways(rules);
			return { settled: true };
		} catch (thrown) {
			return { settled: true, warning: `Allowed until this program ends, but not written: ${messageOf(thrown)}` };
		}
	}

	function refuse(requestId: string, why: string): void {
		const message = `Permission denied: ${why}`;
		finish(requestId, "withdrawn", (each) => each.result.resolve(denied(each.call, "nobody", message)));
	}

	return {
		async request(call, signal) {
			if (signal?.aborted) throw new ClowderError("ERR_ABORTED", "The call was cancelled before it was judged");
			const decision = judge(call);
			if (decision.decision === "allow") return { decision: "allow" };
			if (decision.decision === "deny") return denied(call, "policy", decision.message);
			if (!show || call.unattended) return denied(call, "nobody", nobodyMessage(decision, call));
			lastId += 1;
			const prompt = promptFor(`permission_${lastId}`, call, decision, clock.now());
			const result = wait(call, prompt, signal);
			try {
				show(prompt);
			} catch (thrown) {
				refuse(prompt.requestId, `the question could not be shown: ${messageOf(thrown)}`);
			}
			return result;
		},
		async answer(requestId, answer) {
			const found = waiting.get(requestId);
			if (!found) return { settled: false };
			if (!isPermissionAnswer(answer)) {
				const said = answer === undefined ? "nothing" : shown(answer);
				const why = `permissions.onRequest answered ${said}, and must answer ${ANSWERS}`;
				refuse(requestId, `nobody could be asked: ${why}`);
				return { settled: true, warning: `A permission was denied: ${why}` };
			}
			if (typeof answer === "string") return accept(found, answer);
			const message = answer.message
				? `Permission denied by the person: ${answer.message}`
				: "Permission denied by the person";
			finish(requestId, "answered", (each) => each.result.resolve(denied(each.call, "person", message)));
			return { settled: true };
		},
		refuse,
		pending: () => [...waiting.values()].map((each) => each.prompt),
		recheck,
		withdraw(runId) {
			for (const [requestId, { call }] of [...waiting]) {
				if (call.agent.runId === runId) abort(requestId, "The agent ended before anyone answered");
			}
		},
		denials: () => denials.list(),
		setPromptHandler(handler) {
			show = handler;
			if (handler) return;
			for (const [requestId, { call, prompt }] of [...waiting]) {
				finish(requestId, "withdrawn", (each) =>
					each.result.resolve(denied(call, "nobody", nobodyMessage(prompt, call))),
				);
			}
		},
	};
}

function nobodyMessage(
	asked: { readonly message: string; readonly suggestions: readonly string[] },
	call: PermissionCall,
): string {
	const why = call.unattended ? "this turn may not ask a person" : "there is nobody to ask";
	const rules = asked.suggestions.map((rule) => `"${rule}"`).join(" ");
	const remedy = rules === "" ? "" : `. It could be allowed beforehand by a rule: ${rules}`;
	return `Permission denied: ${asked.message}, and ${why}${remedy}`;
}
