// What a tool gave back, made fit for the conversation: a text, not blank, not longer than it may be.
// Tools may come from modules nobody checked, so nothing about their output is taken on trust.

import { previewOf, saveOutput, unsavedPreviewOf } from "./persisted-output.ts";
import type { AgentDeps } from "./types.ts";
import { isBlank, wellFormed } from "./well-formed.ts";

/** Longest result of a tool that names no other bound, in characters. */
const DEFAULT_RESULT_CHARS = 50_000;

const EMPTY = "(no output)";
const JUNK_PREVIEW_CHARS = 2_000;

export interface ResultText {
	readonly content: string;
	readonly isError: boolean;
}

/** A tool's output as text. Anything but a string or `{ content, isError? }` becomes an error that shows it. */
export function readOutput(toolName: string, output: unknown): ResultText {
	if (typeof output === "string") return { content: output, isError: false };
	if (typeof output === "object" && output !== null && "content" in output && typeof output.content === "string") {
		return { content: output.content, isError: "isError" in output && output.isError === true };
	}
	const wanted = "a tool must return a string or { content: string, isError?: boolean }";
	return { content: `Error: tool '${toolName}' returned ${showJunk(output)}; ${wanted}`, isError: true };
}

/** The result as it goes into the conversation; a long one is saved whole and cut to a preview. */
export async function fitResult(
	deps: Pick<AgentDeps, "outputDir" | "identity" | "contextWindow">,
	{
		toolUseId,
		maxChars = DEFAULT_RESULT_CHARS,
	}: { readonly toolUseId: string; readonly maxChars?: number | undefined },
	result: ResultText,
): Promise<ResultText> {
	const { isError } = result;
	if (isBlank(result.content)) return { content: EMPTY, isError };
	// A quarter of the window, at about four characters a token, is the most that one result may take.
	if (result.content.length <= Math.min(maxChars, deps.contextWindow)) {
		return { content: wellFormed(result.content), isError };
	}
	const place = { outputDir: deps.outputDir, runId: deps.identity.runId };
	try {
		const saved = await saveOutput(place, toolUseId, result.content);
		return { content: previewOf(result.content, saved), isError };
	} catch (thrown) {
		return { content: unsavedPreviewOf(result.content, thrown), isError };
	}
}

function showJunk(output: unknown): string {
	if (output === undefined) return "nothing";
	if (typeof output !== "object" || output === null)
		return `${output === null ? "null" : typeof output} (${String(output)})`;
	try {
		return `an object (${JSON.stringify(output).slice(0, JUNK_PREVIEW_CHARS)})`;
	} catch {
		return "an object that is not plain data";
	}
}
