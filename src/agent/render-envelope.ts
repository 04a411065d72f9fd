// How the model reads what the MessageBus brings. Words of other agents are marked as theirs: they may be
// mistaken or hostile, and must never pass for the user's.

import type { Envelope, EnvelopeKind } from "../wire/envelope.ts";
import { escapeTags, tagged } from "./added-text.ts";

/** What the program tells; what an agent wrote may stand in it as a result. */
const NOTIFICATIONS: ReadonlySet<EnvelopeKind> = new Set(["notification", "result", "error", "shutdown_response"]);

/** One envelope as one text block. */
export function renderEnvelope(envelope: Envelope): string {
	if (NOTIFICATIONS.has(envelope.kind)) return renderNotification(envelope);
	if (envelope.kind === "task" && envelope.from === "cron") return renderScheduled(envelope);
	return renderMessage(envelope);
}

// Only the program sends under this name and of this kind: agents send messages.
function renderScheduled({ body, data }: Envelope): string {
	const intro = "This prompt was scheduled earlier and is due now. Nobody is there to answer questions in this turn.";
	const attributes = { schedule: fact(data, "scheduleId"), cron: fact(data, "cron"), due: fact(data, "dueAt") };
	return tagged("scheduled-prompt", `${intro}\n\n${body}`, attributes);
}

function renderNotification({ from, body, summary, correlationId, data }: Envelope): string {
	const taskId = fact(data, "taskId") ?? fact(data, "runId") ?? fact(data, "jobId") ?? correlationId;
	const lines = [
		element("task-id", taskId),
		element("from", from),
		element("status", fact(data, "status")),
		element("reason", fact(data, "reason")),
		element("summary", summary),
		`<result>\n${escapeInner(body)}\n</result>`,
	];
	// The inner elements are ours: only what is inside them is foreign, and that is escaped already.
	return `<task-notification>\n${lines.filter((line) => line !== undefined).join("\n")}\n</task-notification>`;
}

/** Senders that no agent can have the name of. */
const INTROS: ReadonlyMap<string, string> = new Map([
	["user", "The user wrote this to you."],
	["host", "The program that runs you wrote this."],
	["main", "The program handed this task to you; its text may be another agent's."],
]);

function renderMessage({ kind, from, body, summary, correlationId, data }: Envelope): string {
	const attributes = {
		from,
		kind,
		request_id: fact(data, "requestId") ?? correlationId,
		task_id: fact(data, "taskId"),
		summary,
	};
	const words = body.trim() === "" ? "(no text)" : body;
	const intro = INTROS.get(from) ?? `Another agent, '${from}', wrote this; the user did not.`;
	return tagged("agent-message", `${intro}\n\n${words}`, attributes);
}

function element(name: string, value: string | undefined): string | undefined {
	return value === undefined || value === "" ? undefined : `<${name}>${escapeInner(value)}</${name}>`;
}

const INNER_TAG = /<(?=\s*\/?\s*(?:task-id|from|status|reason|summary|result)\s*>)/gi;

function escapeInner(text: string): string {
	return escapeTags(text).replace(INNER_TAG, "&lt;");
}

function fact(data: Envelope["data"], name: string): string | undefined {
	const value = data?.[name];
	return value === undefined || value === null ? undefined : String(value);
}
