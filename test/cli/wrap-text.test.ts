import { describe, expect, it } from "vitest";
import { wrapText } from "../../src/cli/terminal/wrap-text.ts";

describe("wrapText", () => {
	it("breaks at words, and indents what follows as the words before", () => {
		expect(wrapText("one two three four", 10)).toBe("one two\nthree four");
		expect(wrapText("  one two three", 10)).toBe("  one two\n  three");
		expect(wrapText("- one two three", 10)).toBe("- one two\n  three");
		expect(wrapText("12. one two three", 11)).toBe("12. one two\n    three");
	});

	it("leaves alone what fits, and words that no line has room for", () => {
		expect(wrapText("a    b\n\n   c", 10)).toBe("a    b\n\n   c");
		expect(wrapText("see https://example.com/long now", 10)).toBe("see\nhttps://example.com/long\nnow");
	});

	it("knows how wide characters are, and that colours have no width", () => {
		expect(wrapText("猫猫 猫猫 猫", 9)).toBe("猫猫 猫猫\n猫");
		expect(wrapText("\u001b[2m  one two\u001b[22m", 9)).toBe("\u001b[2m  one two\u001b[22m");
	});

	it("hangs the second column of a table", () => {
		expect(wrapText("  /help  lists the commands", 20, "table")).toBe("  /help  lists the\n         commands");
	});
});
