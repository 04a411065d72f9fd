// Finds the end of a command in the stream of what it prints. The wrapper around the command writes a marker into the
// same pipe once the command has ended, so that everything the command printed stands before it.

const NEWLINE = 10;
/** The marker's first byte, rare in what commands print: most pieces need no closer look. */
const START = 1;

export class EndMarker {
	/** What the wrapper writes in front of the exit code and a line end. */
	readonly text = `\u0001end-${crypto.randomUUID()}:`;
	readonly #marker = Buffer.from(this.text);
	#held: Buffer = Buffer.alloc(0);
	#found = false;
	#code: number | undefined;

	/** The exit code, once it was read. */
	get code(): number | undefined {
		return this.#code;
	}

	/** Takes the next piece of the stream and answers with the output in it that is surely the command's. */
	push(chunk: Uint8Array): Uint8Array {
		if (this.#code !== undefined) return new Uint8Array();
		if (this.#held.length === 0 && !this.#found && !chunk.includes(START)) return chunk;
		const bytes = Buffer.concat([this.#held, chunk]);
		if (this.#found) return this.#readCode(bytes);
		const at = bytes.indexOf(this.#marker);
		if (at >= 0) {
			this.#found = true;
			this.#readCode(bytes.subarray(at + this.#marker.length));
			return bytes.subarray(0, at);
		}
		// The marker may have begun near the end.
		const begun = bytes.indexOf(START, Math.max(0, bytes.length - this.#marker.length + 1));
		const sure = begun < 0 ? bytes.length : begun;
		this.#held = Buffer.from(bytes.subarray(sure));
		return bytes.subarray(0, sure);
	}

	/** The output held back, when nothing more comes. */
	flush(): Uint8Array {
		const rest = this.#found ? Buffer.alloc(0) : this.#held;
		this.#held = Buffer.alloc(0);
		return rest;
	}

	#readCode(bytes: Buffer): Uint8Array {
		const end = bytes.indexOf(NEWLINE);
		if (end < 0) this.#held = Buffer.from(bytes);
		else this.#code = Number(bytes.toString("latin1", 0, end));
		return new Uint8Array();
	}
}
