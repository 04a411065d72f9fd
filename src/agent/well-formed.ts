// Text as the Messages API takes it.

/** The text with each half of a broken surrogate pair replaced by U+FFFD; the API refuses such halves. */
// ES2024, in Node since 20: not yet in the library the compiler is set to.
export function wellFormed(text: string): string {
	return (text as unknown as { toWellFormed(): string }).toWellFormed();
}

/** Only white space, or nothing: the API refuses such text blocks. */
export function isBlank(text: string): boolean {
	return !/\S/.test(text);
}
