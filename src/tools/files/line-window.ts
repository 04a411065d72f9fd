// Reads some lines out of a file of any size, chunk by chunk: memory is bounded by the window, time by where the
// window lies and by the caller's patience. What follows the window is counted only as far as that is cheap.

import { countNewlines } from "./count-newlines.ts";

const CHUNK_BYTES = 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
const NO_BUFFER = Buffer.alloc(0);
const BINARY_SAMPLE_BYTES = 8192;
const NEWLINE = 10;

/** Reads into the buffer and answers how many bytes, 0 at the end: a FileHandle's read. */
export type ReadInto = (buffer: Uint8Array) => Promise<number>;

export interface LineWindowOptions {
	/** First line wanted, from 1. */
	readonly firstLine: number;
	readonly maxLines: number;
	readonly maxBytes: number;
	/** How many bytes after the window are read only to count lines. */
	readonly maxCountedBytes: number;
	/** Whether the window must have been found by now. */
	isLate?(): boolean;
	/** Size of the file as far as known; 0 where the system does not tell. */
	readonly sizeBytes: number;
}

export type LineWindow =
	| { readonly kind: "binary" }
	/** The file ends before the first line wanted. */
	| { readonly kind: "past-end"; readonly totalLines: number }
	/** It was late before the first line wanted was found. */
	| { readonly kind: "too-far"; readonly passedLines: number; readonly passedBytes: number }
	| {
			readonly kind: "lines";
			/** The lines, joined by `\n`, without a byte order mark and without the last line's end. */
			readonly text: string;
			readonly shown: number;
			/** Lines after the window; undefined where counting them would take too long. */
			readonly more: number | undefined;
			/** A single line was longer than the window and lost its end. */
			readonly cut: boolean;
	  };

/** Reads the window. */
export async function readLineWindow(read: ReadInto, options: LineWindowOptions): Promise<LineWindow> {
	const scan = new Scan(options);
	let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(FIRST_BYTES, options.sizeBytes + 1)));
	let spare = NO_BUFFER;
	let length = await read(buffer);
	while (length > 0) {
		const chunk = buffer.subarray(0, length);
		if (scan.position === 0 && chunk.subarray(0, BINARY_SAMPLE_BYTES).includes(0)) return { kind: "binary" };
		// While one chunk is looked through the next one is read; a file of one chunk needs no second buffer.
		const ahead = scan.needsMore(length);
		if (ahead && spare === NO_BUFFER) spare = Buffer.allocUnsafe(CHUNK_BYTES);
		const next = ahead ? read(spare) : undefined;
		next?.catch(() => {});
		scan.feed(chunk);
		if (scan.isTooFarToCount()) return scan.result(false);
		if (scan.isSkipping && options.isLate?.()) return scan.farAway();
		length = await (next ?? read(buffer));
		if (ahead) [buffer, spare] = [spare, buffer];
	}
	return scan.result(true);
}

class Scan {
	readonly #options: LineWindowOptions;
	readonly #pieces: Buffer[] = [];
	#phase: "skip" | "take" | "count";
	#newlines = 0;
	#lastByte = NEWLINE;
	#taken = 0;
	#takenWholeLines = 0;
	#shown = 0;
	#cut = false;
	#windowEnd = 0;
	position = 0;

	constructor(options: LineWindowOptions) {
		this.#options = options;
		this.#phase = options.firstLine > 1 ? "skip" : "take";
	}

	feed(chunk: Buffer): void {
		let at = 0;
		if (this.#phase === "skip") at = this.#skip(chunk);
		while (this.#phase === "take" && at < chunk.length) at = this.#take(chunk, at);
		if (this.#phase === "count") this.#count(chunk, at);
		this.position += chunk.length;
		this.#lastByte = chunk[chunk.length - 1] ?? NEWLINE;
	}

	get isSkipping(): boolean {
		return this.#phase === "skip";
	}

	/** Whether the chunk that comes after this one will be wanted in any case. */
	needsMore(chunkBytes: number): boolean {
		return this.#phase === "skip" && this.position + chunkBytes < this.#options.sizeBytes;
	}

	farAway(): LineWindow {
		return { kind: "too-far", passedLines: this.#newlines, passedBytes: this.position };
	}

	isTooFarToCount(): boolean {
		if (this.#phase !== "count") return false;
		const { maxCountedBytes, sizeBytes } = this.#options;
		return Math.max(sizeBytes, this.position) - this.#windowEnd > maxCountedBytes;
	}

	result(atEnd: boolean): LineWindow {
		const totalLines = this.#newlines + (this.#lastByte === NEWLINE ? 0 : 1);
		// An empty file has a first line, though nothing is on it.
		if (atEnd && this.#phase === "skip") {
			if (totalLines < this.#options.firstLine) return { kind: "past-end", totalLines };
		}
		if (atEnd && this.#phase === "take" && this.#taken > this.#takenWholeLines) this.#shown += 1;
		const bytes = Buffer.concat(this.#pieces, this.#taken);
		if (bytes.includes(0)) return { kind: "binary" };
		const more = atEnd ? totalLines - (this.#options.firstLine - 1) - this.#shown : undefined;
		return { kind: "lines", text: this.#decode(bytes), shown: this.#shown, more, cut: this.#cut };
	}

	#skip(chunk: Buffer): number {
		let wanted = this.#options.firstLine - 1 - this.#newlines;
		const inChunk = countNewlines(chunk, 0);
		if (inChunk < wanted) {
			this.#newlines += inChunk;
			return chunk.length;
		}
		let at = 0;
		for (; wanted > 0; wanted -= 1) at = chunk.indexOf(NEWLINE, at) + 1;
		this.#newlines = this.#options.firstLine - 1;
		// Order: only a byte on the wanted line proves that the line exists.
		if (at < chunk.length) this.#phase = "take";
		return at;
	}

	/** Takes the rest of one line, or of the chunk. */
	#take(chunk: Buffer, at: number): number {
		const newline = chunk.indexOf(NEWLINE, at);
		const end = newline < 0 ? chunk.length : newline + 1;
		const room = this.#options.maxBytes - this.#taken;
		if (end - at > room) return this.#stopInsideLine(chunk, at, room);
		// A copy: the next read overwrites the chunk.
		this.#pieces.push(Buffer.from(chunk.subarray(at, end)));
		this.#taken += end - at;
		if (newline < 0) return end;
		this.#newlines += 1;
		this.#shown += 1;
		this.#takenWholeLines = this.#taken;
		if (this.#shown === this.#options.maxLines) this.#endWindow(end);
		return end;
	}

	#stopInsideLine(chunk: Buffer, at: number, room: number): number {
		if (this.#shown === 0) {
			this.#pieces.push(Buffer.from(chunk.subarray(at, at + room)));
			this.#taken += room;
			this.#shown = 1;
			this.#cut = true;
		} else {
			this.#taken = this.#takenWholeLines;
		}
		this.#endWindow(at);
		return at;
	}

	#endWindow(at: number): void {
		this.#phase = "count";
		this.#windowEnd = this.position + at;
	}

	#count(chunk: Buffer, from: number): void {
		this.#newlines += countNewlines(chunk, from);
	}

	#decode(bytes: Buffer): string {
		// `stream` leaves out a character whose end was cut off.
		const text = new TextDecoder().decode(bytes, { stream: this.#cut }).replaceAll("\r\n", "\n");
		return text.endsWith("\n") ? text.slice(0, -1) : text;
	}
}
