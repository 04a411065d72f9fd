// How full the model's window is. Tokens are estimated from bytes; every reply's own count corrects the rate,
// so the estimate fits the language and the kind of text at hand.

/** UTF-8 bytes per token before anything was measured: a little pessimistic for English and for JSON. */
const FIRST_GUESS = 3.5;
const LOWEST = 1;
const HIGHEST = 8;
/** A smaller request says more about its frame than about the text. */
const MEASURABLE_TOKENS = 500;
/** A reply that counts fewer tokens than this did not count them (a scripted one, a server without usage). */
const MAX_BYTES_PER_TOKEN = 16;

/** Turns sizes in bytes into tokens and back. One per agent. */
export class ContextGauge {
	#bytesPerToken = FIRST_GUESS;
	#tooLongBytes = Number.POSITIVE_INFINITY;

	/** A request of `bytes` was counted as `tokens` by the provider. */
	noteReply(bytes: number, tokens: number): void {
		if (tokens < MEASURABLE_TOKENS || bytes / tokens > MAX_BYTES_PER_TOKEN) return;
		this.#bytesPerToken = Math.min(HIGHEST, Math.max(LOWEST, bytes / tokens));
	}

	/** A request of `bytes` was too long: whatever the window is said to hold, this much does not fit. */
	noteTooLong(bytes: number): void {
		this.#tooLongBytes = Math.min(this.#tooLongBytes, bytes);
	}

	tokensIn(bytes: number): number {
		return Math.ceil(bytes / this.#bytesPerToken);
	}

	/** Bytes of a request that leaves room for a reply of `replyTokens` in a window of `windowTokens`. */
	roomBytes(windowTokens: number, replyTokens: number): number {
		return Math.min(Math.floor((windowTokens - replyTokens) * this.#bytesPerToken), this.#tooLongBytes);
	}
}

/** Size of one text as it is sent. */
export function byteSize(text: string): number {
	return Buffer.byteLength(text);
}

/** Size of many texts as they are sent. */
export function byteSizeOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + byteSize(text), 0);
}
