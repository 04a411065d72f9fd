// What a person can say to the offline model besides a survey. The grammar is in HELP_TEXT.

import { HELP_TEXT, OFFLINE_LINE } from "./about.ts";
import type { MadeCall, ToolCall } from "./history.ts";
import { code, counted } from "./markdown.ts";
import { createAsker, type Step } from "./steps.ts";

const MAX_SHOWN_LINES = 200;

/** One step of the answer to `prompt`; `made` are the calls since it was said. */
export function decideChatStep(prompt: string, made: readonly MadeCall[], toolNames: ReadonlySet<string>): Step {
	const call = parsePhrase(prompt.trim());
	if (!call) return { kind: "say", text: HELP_TEXT };
	if (!toolNames.has(call.name)) {
		return { kind: "say", text: `That needs the tool ${call.name}, which I do not have here.\n\n${OFFLINE_LINE}` };
	}
	const answer = createAsker(made).ask(call);
	if (!answer) return { kind: "call", text: "", calls: [call] };
	if (answer.isError) return { kind: "say", text: `${call.name} failed: ${code(answer.text)}\n\n${OFFLINE_LINE}` };
	return { kind: "say", text: `${fenced(answer.text)}\n\n${OFFLINE_LINE}` };
}

function parsePhrase(prompt: string): ToolCall | undefined {
	const list = /^list(?: the)? files(?: (?:in|of|under|below) (.+))?$/i.exec(prompt);
	if (list) return { name: "glob", input: { pattern: "**/*", path: unquote(list[1] ?? ".") } };
	const search =
		/^search(?: for)? ("(?:[^"\\]|\\.)+"|.+) in ("(?:[^"\\]|\\.)+"|\S+)$/i.exec(prompt) ??
		/^search(?: for)? ("(?:[^"\\]|\\.)+"|.+)$/i.exec(prompt);
	if (!search) return undefined;
	const pattern = unquote(search[1] ?? "").replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
	const path = unquote(search[2] ?? ".");
	return { name: "grep", input: { pattern, path, output_mode: "content", limit: MAX_SHOWN_LINES } };
}

function unquote(text: string): string {
	if (!text.startsWith('"')) return text.trim();
	try {
		return String(JSON.parse(text));
	} catch {
		return text.slice(1, -1);
	}
}

// A fence longer than any run of backticks inside.
function fenced(text: string): string {
	const lines = text.split("\n");
	const shown = lines.slice(0, MAX_SHOWN_LINES);
	const left = lines.length - shown.length;
	if (left > 0) shown.push(`... (${counted(left, "more line")} not shown)`);
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
	const fence = "`".repeat(longest + 1);
	return [fence, ...shown, fence].join("\n");
}
