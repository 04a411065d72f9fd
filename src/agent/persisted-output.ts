// Results too large for the conversation live in files of the agent's output folder; the conversation keeps a
// preview or a stub that names the file. Used right after a call and again by compaction.

import { open, stat } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../errors.ts";
import { wellFormed } from "./well-formed.ts";

const HEAD_CHARS = 6_000;
const TAIL_CHARS = 2_000;
const MARK = '<persisted-output path="';
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
 * Saves a result, unless it is a preview of one that is saved already.
 *
 * @throws whatever the file system does.
 */
export async function saveOutput(place: OutputPlace, toolUseId: string, text: string): Promise<SavedOutput> {
	const file = outputPath(place, toolUseId);
	// Only the path of this very call counts: a tool may print the mark of another result.
	const ours = `${MARK}${file}" characters="`;
	if (text.startsWith(ours) && (await exists(file))) {
		return { path: file, characters: Number.parseInt(text.slice(ours.length), 10) };
	}
	await writeInPieces(file, text);
	return { path: file, characters: text.length };
}

/** What the conversation keeps of a large result: its start, its end and where the rest is. */
export function previewOf(text: string, saved: SavedOutput): string {
	const left = text.length - HEAD_CHARS - TAIL_CHARS;
	if (left <= 0 || text.startsWith(MARK)) return text;
	const body = [
		"Too long for the conversation; the file above holds all of it (read_file with offset and limit, or grep).",
		text.slice(0, HEAD_CHARS),
		`... (${left} characters left out) ...`,
		text.slice(-TAIL_CHARS),
	];
	return wellFormed(`${mark(saved)}\n${body.join("\n\n")}\n</persisted-output>`);
}

/** What the conversation keeps of an old result. */
export function stubOf(saved: SavedOutput): string {
	return `${mark(saved)}Old result, cleared to save room; read the file if you need it again.</persisted-output>`;
}

/** A preview where the file could not be written. */
export function unsavedPreviewOf(text: string, thrown: unknown): string {
	const left = Math.max(0, text.length - HEAD_CHARS - TAIL_CHARS);
	const why = `${left} characters left out; the whole could not be saved: ${messageOf(thrown)}`;
	return wellFormed(`${text.slice(0, HEAD_CHARS)}\n\n... (${why}) ...\n\n${text.slice(-TAIL_CHARS)}`);
}

function mark({ path: file, characters }: SavedOutput): string {
	return `${MARK}${file}" characters="${characters}">`;
}

// Ids come from a model: only harmless characters reach the file name, and two ids never give one name.
function outputPath({ outputDir, runId }: OutputPlace, toolUseId: string): string {
	const safe = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, (char) => `.${char.charCodeAt(0).toString(16)}`);
	return path.join(outputDir, `${safe(runId).slice(0, 80)}-${safe(toolUseId).slice(0, 150)}.txt`);
}

// A text of many megabytes is encoded piece by piece, so that no step holds the thread for long.
async function writeInPieces(file: string, text: string): Promise<void> {
	const handle = await open(file, "w", 0o600);
	try {
		for (let at = 0; at < text.length; ) {
			const end = at + PIECE_CHARS;
			// No piece ends inside a surrogate pair.
			const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
			await handle.write(wellFormed(text.slice(at, next)));
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
