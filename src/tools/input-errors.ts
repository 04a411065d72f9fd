// Turns the issues of a failed input check into the one line the model reads.

/** The part of a zod issue that matters here. */
export interface InputIssue {
	readonly path: readonly PropertyKey[];
	readonly message: string;
	readonly code?: string | undefined;
}

// What zod says when a schema has no message of its own; zod/mini says no more than the first two words.
const GENERIC = /^Invalid input(?:: expected (?<expected>\w+), received (?<received>\w+))?$/;

/**
 * The error result for input that a schema refused: the first issue, e.g. `Error: path is required`.
 *
 * A schema's own message is used as it is. For zod's generic one the field is named; pass the checked
 * `input` to tell a missing field from a wrong one where the message alone does not.
 */
export function formatInputErrors(issues: readonly InputIssue[], input?: unknown): string {
	const issue = issues[0];
	if (!issue) return "Error: the input is not valid";
	return `Error: ${textOf(issue, input)}`;
}

function textOf(issue: InputIssue, input: unknown): string {
	const field = fieldOf(issue.path);
	if (issue.code === "unrecognized_keys") return `${field ? `${field}: ` : ""}${lowerFirst(issue.message)}`;
	const generic = GENERIC.exec(issue.message);
	if (!generic) return isOwnMessage(issue) || !field ? issue.message : `${field}: ${lowerFirst(issue.message)}`;
	if (!field) return "the input must be an object";
	const { expected, received } = generic.groups ?? {};
	const missing = received === undefined ? isMissing(issue.path, input) : received === "undefined";
	if (missing) return `${field} is required`;
	const wanted = expected ?? (issue as { expected?: unknown }).expected;
	return typeof wanted === "string" ? `${field} must be ${article(wanted)} ${wanted}` : `${field} is not valid`;
}

// zod's built-in messages begin like this; anything else was written for this schema.
function isOwnMessage(issue: InputIssue): boolean {
	return !/^(?:Invalid \w+|Too (?:small|big)): /.test(issue.message);
}

function fieldOf(path: readonly PropertyKey[]): string {
	let field = "";
	for (const part of path) {
		if (typeof part === "number") field += `[${part}]`;
		else field += field ? `.${String(part)}` : String(part);
	}
	return field;
}

function isMissing(path: readonly PropertyKey[], input: unknown): boolean {
	let value = input;
	for (const part of path) {
		if (typeof value !== "object" || value === null) return false;
		value = (value as Record<PropertyKey, unknown>)[part];
	}
	return value === undefined;
}

function article(noun: string): string {
	return /^[aeiou]/.test(noun) ? "an" : "a";
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
