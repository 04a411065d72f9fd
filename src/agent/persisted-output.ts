// Results too large for the conversation live in files of the agent's output folder; the conversation keeps a
// preview or a stub that names the file. Used right after a call and again by compaction.

import { open, stat } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../errors.ts";
import { wellFormed } from "./well-formed.ts";

const PREVIEW_CHARS = 8_000;
/** Share of a preview that shows the end. */
const TAIL_SHARE = 0.25;
const MARK = '<persisted-output path="';
const END = "\n</persisted-output>";
const PIECE_CHARS = 1 << 20;

/** Where one call's result is kept. */
export interface OutputPlace {
	readonly outputDir: string;
	readonly runId: string;
}

/** A text that has been saved. */
export interface SavedOutput {
	readonly path: string;
	readonly characters: number;
}

/**
 * Saves a text under the id of its call or envelope, unless it is a preview of one that is saved already.
 *
 * @throws whatever the file system does.
 */
export async function saveOutput(place: OutputPlace, id: string, text: string): Promise<SavedOutput> {
	const file = outputPath(place, id);
	// Only the path of this very call counts: a tool may print the mark of another result.
	const ours = `${MARK}${file}" characters="`;
	if (text.startsWith(ours) && (await exists(file))) {
		return { path: file, characters: Number.parseInt(text.slice(ours.length), 10) };
	}
	await writeInPieces(file, text);
	return { path: file, characters: text.length };
}

/** What the conversation keeps of a large result: its start, its end and where the rest is. */
export function previewOf(text: string, saved: SavedOutput, maxChars = PREVIEW_CHARS): string {
	const shown = text.startsWith(MARK) ? text.slice(text.indexOf("\n") + 1, -END.length) : text;
	if (shown.length <= maxChars) return text;
	const hint =
		"Too long for the conversation; the file above holds all of it (read_file with offset and limit, or grep).";
	return wellFormed(`${mark(saved)}\n${hint}\n\n${excerptOf(shown, maxChars)}${END}`);
}

/** Start and end of a text, and how much is missing between them. */
export function excerptOf(text: string, maxChars: number, why = ""): string {
	const tail = Math.floor(maxChars * TAIL_SHARE);
	const head = maxChars - tail;
	const left = text.length - head - tail;
	if (left <= 0) return text;
	return `${text.slice(0, head)}\n\n... (${left} characters left out${why}) ...\n\n${text.slice(-tail)}`;
}

/** What the conversation keeps of an old result. */
export function stubOf(saved: SavedOutput): string {
	return `${mark(saved)}Old result, cleared to save room; read the file if you need it again.${END}`;
}

/** A preview where the file could not be written. */
export function unsavedPreviewOf(text: string, thrown: unknown): string {
	return wellFormed(excerptOf(text, PREVIEW_CHARS, `; the whole could not be saved: ${messageOf(thrown)}`));
}

function mark({ path: file, characters }: SavedOutput): string {
	return `${MARK}${file}" characters="${characters}">`;
}

// Ids come from a model: only harmless characters reach the file name, and two ids never give one name.
function outputPath({ outputDir, runId }: OutputPlace, id: string): string {
	const safe = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, (char) => `.${char.charCodeAt(0).toString(16)}`);
	return path.join(outputDir, `${safe(runId).slice(0, 80)}-${safe(id).slice(0, 150)}.txt`);
}

// A text of many megabytes is encoded piece by piece, so that no step holds the thread for long.
async function writeInPieces(file: string, text: string): Promise<void> {
	const handle = await open(file, "w", 0o600);
	try {
		for (let at = 0; at < text.length; ) {
			const end = at + PIECE_CHARS;
			// No piece ends inside a surrogate pair.
			const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
			await handle.appendFile(wellFormed(text.slice(at, next)));
			at = next;
		}
	} finally {
		await handle.close();
	}
}

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}
