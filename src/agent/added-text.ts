// Text that the runtime, not the user, puts into user messages. Each kind has a tag of its own, so that the
// model can tell it from the user's words, and so can compaction, which keeps the user's words as they are.

const TAGS = [
	"task-notification",
	"agent-message",
	"scheduled-prompt",
	"system-reminder",
	"reminder",
	"hook-context",
	"conversation-summary",
	"persisted-output",
] as const;
export type AddedTag = (typeof TAGS)[number];

const STARTS_TAGGED = new RegExp(`^\\s*<(${TAGS.join("|")})[\\s>]`);
const ANY_TAG = new RegExp(`<(?=\\s*/?\\s*(?:${TAGS.join("|")})\\b)`, "gi");

/** Wraps a text in one of our tags; the text can neither close its tag nor open another. */
export function tagged(
	tag: AddedTag,
	text: string,
	attributes: Readonly<Record<string, string | undefined>> = {},
): string {
	const named = Object.entries(attributes)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => ` ${name}="${escapeAttribute(value ?? "")}"`)
		.join("");
	return `<${tag}${named}>\n${escapeTags(text)}\n</${tag}>`;
}

/** A word of the runtime to the model. */
export function systemNote(text: string): string {
	return tagged("system-reminder", text);
}

/** What a hook adds for the model. */
export function hookNote(event: string, text: string): string {
	return tagged("hook-context", text, { event });
}

/** Tells text that was added by the runtime from what the user wrote. */
export function isAddedText(text: string): boolean {
	return STARTS_TAGGED.test(text);
}

/** Tells what another agent said. */
export function isAgentMessage(text: string): boolean {
	return /^\s*<agent-message[\s>]/.test(text);
}

/** Makes our tags inside a foreign text harmless and leaves the rest, code above all, as it reads. */
export function escapeTags(text: string): string {
	return text.replace(ANY_TAG, "&lt;");
}

function escapeAttribute(value: string): string {
	return value
		.replace(/&/g, "&amp;")
		.replace(/"/g, "&quot;")
		.replace(/</g, "&lt;")
		.replace(/>/g, "&gt;")
		.replace(/\s+/g, " ");
}
