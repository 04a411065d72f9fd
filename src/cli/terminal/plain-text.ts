// Text of models and tools is not trusted with the terminal: escape sequences and control characters go.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Keeps tabs and line ends; drops everything else a terminal would act on. */
export function plainText(text: string): string {
	return text.replace(/\r\n/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "");
}

/** One line of at most `maxChars`, for summaries. */
export function oneLine(text: string, maxChars: number): string {
	const line = plainText(text).replace(/\s+/g, " ").trim();
	return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
