// How full the model's window is. Tokens are estimated from bytes; every reply's own count corrects the rate,
// so the estimate fits the language and the kind of text at hand.

/** UTF-8 bytes per token before anything was measured: a little pessimistic for English and for JSON. */
const FIRST_GUESS = 3.5;
const LOWEST = 1;
const HIGHEST = 8;
// A reply that counts fewer tokens than this did not count them (a scripted one, a server without usage).
const MAX_BYTES_PER_TOKEN = 40;

/** Turns sizes in bytes into tokens and back. One per agent. */
export class ContextGauge {
	#bytesPerToken = FIRST_GUESS;

	/** A request of `bytes` was counted as `tokens` by the provider. */
	noteReply(bytes: number, tokens: number): void {
		if (tokens <= 0 || bytes / tokens > MAX_BYTES_PER_TOKEN) return;
		this.#bytesPerToken = Math.min(HIGHEST, Math.max(LOWEST, bytes / tokens));
	}

	/** A request of `bytes` did not fit a window of `windowTokens`: the rate was too hopeful. */
	noteTooLong(bytes: number, windowTokens: number): void {
		this.#bytesPerToken = Math.max(LOWEST, Math.min(this.#bytesPerToken, bytes / windowTokens));
	}

	tokensIn(bytes: number): number {
		return Math.ceil(bytes / this.#bytesPerToken);
	}

	bytesFor(tokens: number): number {
		return Math.floor(tokens * this.#bytesPerToken);
	}
}

/** Size of one text as it is sent. */
export function byteSize(text: string): number {
	return Buffer.byteLength(text);
}

/** Size of many texts as they are sent. */
export function byteSizeOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
