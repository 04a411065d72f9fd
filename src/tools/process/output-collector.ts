// Collects a child's output in bounded memory. Short output stays whole; once it is too long, all of it goes to a
// file and only its head and tail are kept.

import { type FileHandle, open } from "node:fs/promises";
import { messageOf } from "../../errors.ts";
import { formatSize } from "../files/file-errors.ts";

export interface OutputLimits {
	/** Longest text kept whole, in characters; a cut one is no longer either. */
	readonly maxCharacters: number;
	/** Largest file written. */
	readonly maxFileBytes: number;
}

export const OUTPUT_LIMITS: OutputLimits = { maxCharacters: 50_000, maxFileBytes: 256 * 1024 * 1024 };

/** Room for the sentence that names the file. */
const NOTE_CHARACTERS = 1_000;

export class OutputCollector {
	readonly #filePath: string;
	readonly #limits: OutputLimits;
	readonly #sideCharacters: number;
	readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	/** The bytes so far, until they go to the file. */
	#chunks: Uint8Array[] = [];
	#head = "";
	#tail = "";
	#characters = 0;
	#bytes = 0;
	#fileBytes = 0;
	#file: FileHandle | undefined;
	#fault: string | undefined;
	#spilled = false;

	constructor(filePath: string, limits: OutputLimits = OUTPUT_LIMITS) {
		this.#filePath = filePath;
		this.#limits = limits;
		this.#sideCharacters = Math.max(0, Math.floor((limits.maxCharacters - NOTE_CHARACTERS) / 2));
	}

	/**
	 * Adds output.
	 *
	 * **Ordering**: when it answers a promise, wait for that before the next call; the source pauses meanwhile.
	 */
	push(chunk: Uint8Array): Promise<void> | undefined {
		this.#bytes += chunk.length;
		this.#keep(this.#decoder.decode(chunk, { stream: true }));
		if (!this.#spilled) this.#chunks.push(chunk);
		if (this.#characters <= this.#limits.maxCharacters) return undefined;
		return this.#spilled ? this.#write([chunk]) : this.#spill();
	}

	/** The text for the history. */
	async finish(): Promise<string> {
		this.#keep(this.#decoder.decode());
		if (!this.#spilled && this.#characters > this.#limits.maxCharacters) await this.#spill();
		await this.#file?.close().catch(() => {});
		this.#file = undefined;
		return this.#spilled ? [this.#head, this.#note(), this.#tail].join("\n") : this.#head;
	}

	// Before the spill `head` holds everything; after it, the start, and `tail` the end.
	#keep(text: string): void {
		this.#characters += text.length;
		if (!this.#spilled) {
			this.#head += text;
			return;
		}
		this.#tail = text.length < this.#sideCharacters ? this.#tail + text : text;
		if (this.#tail.length > 2 * this.#sideCharacters) this.#tail = lastCharacters(this.#tail, this.#sideCharacters);
	}

	async #spill(): Promise<void> {
		this.#spilled = true;
		const whole = this.#head;
		this.#head = firstCharacters(whole, this.#sideCharacters);
		this.#tail = whole.slice(this.#head.length);
		const chunks = this.#chunks;
		this.#chunks = [];
		try {
			this.#file = await open(this.#filePath, "w", 0o600);
		} catch (thrown) {
			this.#fault = messageOf(thrown);
		}
		await this.#write(chunks);
	}

	async #write(chunks: readonly Uint8Array[]): Promise<void> {
		for (const chunk of chunks) {
			const room = this.#limits.maxFileBytes - this.#fileBytes;
			if (!this.#file || room <= 0) return;
			const piece = chunk.subarray(0, room);
			try {
				await this.#file.writeFile(piece);
				this.#fileBytes += piece.length;
			} catch (thrown) {
				this.#fault = messageOf(thrown);
				await this.#file.close().catch(() => {});
				this.#file = undefined;
			}
		}
	}

	#note(): string {
		this.#tail = lastCharacters(this.#tail, this.#sideCharacters);
		const left = this.#characters - this.#head.length - this.#tail.length;
		return `\n... [${left} characters left out; ${this.#whereabouts()}]\n`;
	}

	#whereabouts(): string {
		const size = formatSize(this.#bytes);
		if (this.#fault) return `the whole output (${size}) could not be saved: ${this.#fault.slice(0, 300)}`;
		if (this.#fileBytes === this.#bytes) return `the whole output (${size}) is in ${this.#filePath}`;
		return `the first ${formatSize(this.#fileBytes)} of ${size} are in ${this.#filePath}`;
	}
}

function firstCharacters(text: string, count: number): string {
	// A surrogate pair is not torn apart.
	return text.slice(0, isHighSurrogate(text, count - 1) ? count - 1 : count);
}

function lastCharacters(text: string, count: number): string {
	const start = Math.max(0, text.length - count);
	return text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start);
}

function isHighSurrogate(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	return unit >= 0xd800 && unit <= 0xdbff;
}
