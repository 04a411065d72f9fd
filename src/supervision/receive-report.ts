// What an agent's thread tells main, in the order it was sent. Already validated by the launcher.

import { ClowderError, messageOf } from "../errors.ts";
import type { RunReport } from "../wire/control.ts";
import { toErrorData } from "../wire/error-data.ts";
import type { LiveRun } from "./live-run.ts";
import type { AgentRequestReport, SupervisorState } from "./supervisor-state.ts";

const MAX_OPEN_REQUESTS = 256;

export function receiveReport(state: SupervisorState, run: LiveRun, report: RunReport): void {
	if (run.isTerminal) return;
	const { onHistory, onWarning } = state.options;
	switch (report.type) {
		case "agent-ready":
			// Saved with the next change: a thread's id is worth no write of its own.
			run.update({ threadId: report.threadId });
			state.changes.emit("run-changed", run.record);
			return;
		case "agent-event":
			run.events.emit("event", { type: "agent-event", event: report.event });
			return;
		case "request":
			void answerRequest(state, run, report);
			return;
		case "tool-ran":
			run.hostCalls.finish(report.callId, report);
			return;
		case "cancel-request":
			run.requests.get(report.requestId)?.abort(new ClowderError("ERR_ABORTED", "The agent no longer waits for this"));
			return;
		case "history-committed":
			run.commits = run.commits
				.then(() => onHistory(run, report))
				.then(() => {
					const { messagesJson, replaces = false } = report;
					run.events.emit("event", { type: "history", messagesJson, replaces });
				})
				.catch((thrown) => onWarning(`History of ${run.spec.id} was not saved: ${messageOf(thrown)}`));
			return;
		case "prompt-finished":
			// Order: a prompt counts as finished once what it committed is durable.
			run.commits = run.commits.then(() => void run.prompts.finish(report.promptId, report.outcome));
	}
}

async function answerRequest(state: SupervisorState, run: LiveRun, report: AgentRequestReport): Promise<void> {
	const { requestId } = report;
	const controller = new AbortController();
	try {
		if (run.requests.size >= MAX_OPEN_REQUESTS) {
			throw new ClowderError("ERR_BAD_MESSAGE", `More than ${MAX_OPEN_REQUESTS} requests of one agent at once`);
		}
		run.requests.set(requestId, controller);
		const signal = AbortSignal.any([controller.signal, run.abort.signal]);
		const value = await state.options.onRequest(run, report, signal);
		run.thread?.post({ type: "settle-request", requestId, value });
	} catch (thrown) {
		// Also an answer that cannot cross to a thread.
		run.thread?.post({ type: "fail-request", requestId, error: toErrorData(thrown) });
	} finally {
		if (run.requests.get(requestId) === controller) run.requests.delete(requestId);
	}
}
