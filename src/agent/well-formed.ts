// Text as the Messages API takes it.

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text with each half of a broken surrogate pair replaced by U+FFFD; the API refuses such halves. */
export function wellFormed(text: string): string {
	return text.replace(LONE_SURROGATE, "\uFFFD");
}

/** Only white space, or nothing: the API refuses such text blocks. */
export function isBlank(text: string): boolean {
	return !/\S/.test(text);
}
