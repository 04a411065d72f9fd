// Reads what the agent loop adds to user messages (agent/added-text.ts, agent/render-envelope.ts): the
// `<task-notification>` blocks that wake the lead when a subagent ends, and notes that are no one's request.

export interface TaskNotice {
	readonly taskId: string;
	readonly status: "completed" | "failed" | "unknown";
	/** The final text, or what is known of the failure. */
	readonly result: string;
}

const COMPLETED = /^(completed|done|success|succeeded|finished)$/i;
const FAILED = /^(failed|error|cancelled|canceled|killed|timed[-_ ]?out|stopped)$/i;

/** The notices in the texts that came from outside, oldest first. */
export function readNotices(texts: readonly string[]): TaskNotice[] {
	return texts.flatMap((text) =>
		[...text.matchAll(/<task-notification[^>]*>([\s\S]*?)<\/task-notification>/g)].flatMap((match) => {
			const notice = readNotice(match[1] ?? "");
			return notice ? [notice] : [];
		}),
	);
}

/** What a person or another agent asks for in `text`, without the tags and notes around it. */
export function requestIn(text: string): string {
	return text
		.replace(/<(task-notification|system-reminder|reminder|hook-context)\b[^>]*>[\s\S]*?<\/\1>/g, "")
		.replace(/<agent-message\b[^>]*>\s*(?:Another agent, [^\n]*\n\n)?([\s\S]*?)<\/agent-message>/g, "$1")
		.trim();
}

function readNotice(inner: string): TaskNotice | undefined {
	const taskId = fieldOf(inner, "task-id");
	if (!taskId) return undefined;
	const status = fieldOf(inner, "status") ?? "";
	const result = fieldOf(inner, "result") ?? "";
	if (!FAILED.test(status)) {
		return { taskId, status: COMPLETED.test(status) ? "completed" : "unknown", result };
	}
	const known = [fieldOf(inner, "reason"), result || fieldOf(inner, "summary")].filter(Boolean);
	return { taskId, status: "failed", result: known.join(": ") };
}

// The last end tag counts: a result may hold anything.
function fieldOf(inner: string, name: string): string | undefined {
	const text = new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(inner)?.[1];
	return text === undefined ? undefined : withTags(text).trim();
}

const HIDDEN_TAG =
	/&lt;(?=\s*\/?\s*(?:task-notification|agent-message|system-reminder|reminder|hook-context|conversation-summary|persisted-output|task-id|from|status|reason|summary|result)\b)/gi;

// The loop writes `&lt;` for the `<` of its own tags inside a foreign text, and changes nothing else.
function withTags(text: string): string {
	return text.replace(HIDDEN_TAG, "<");
}
