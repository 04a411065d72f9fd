// A long text that was pasted stands in the input line as `[Pasted text #1, 60 lines]`: a line that is taller than the
// terminal could not be drawn again.

const MAX_LINES = 8;
const MAX_CHARS = 1_500;

export interface PastedTexts {
	/** The text, or what stands for it. */
	shorten(text: string): string;
	/** A line with every pasted text in full. */
	expand(line: string): string;
}

export function createPastedTexts(): PastedTexts {
	const texts = new Map<string, string>();
	return {
		shorten: (text) => {
			const lines = text.replace(/\n$/, "").split("\n").length;
			if (lines <= MAX_LINES && text.length <= MAX_CHARS) return text;
			const name = `[Pasted text #${texts.size + 1}, ${lines} ${lines === 1 ? "line" : "lines"}]`;
			texts.set(name, text);
			return name;
		},
		expand: (line) => line.replace(/\[Pasted text #\d+, \d+ lines?\]/g, (name) => texts.get(name) ?? name),
	};
}
