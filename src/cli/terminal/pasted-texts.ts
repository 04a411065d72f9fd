// Text of several lines in an input line that readline takes for one: a line end stands there as a sign, and a long text
// that was pasted as `[Pasted text #1, 60 lines]`, since a line that is taller than the terminal could not be drawn again.

// Upstream: readline from Node.js 24 on treats a line that holds real line ends in ways of its own, others do not.
const LINE_END = "⏎";
const MAX_LINES = 8;
const MAX_CHARS = 1_500;

export interface PastedTexts {
	/** What stands for the text in the input line. */
	shorten(text: string): string;
	/** What an input line stands for. */
	expand(line: string): string;
}

export function createPastedTexts(): PastedTexts {
	const texts = new Map<string, string>();
	return {
		shorten: (text) => {
			const lines = text.replace(/\n$/, "").split("\n").length;
			const fits = lines <= MAX_LINES && text.length <= MAX_CHARS;
			if (fits && !text.includes(LINE_END)) return text.replaceAll("\n", LINE_END);
			const name = `[Pasted text #${texts.size + 1}, ${lines} ${lines === 1 ? "line" : "lines"}]`;
			texts.set(name, text);
			return name;
		},
		expand: (line) =>
			line.replaceAll(LINE_END, "\n").replace(/\[Pasted text #\d+, \d+ lines?\]/g, (name) => texts.get(name) ?? name),
	};
}
