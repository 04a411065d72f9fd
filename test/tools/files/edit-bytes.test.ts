import fc from "fast-check";
import { expect, it } from "vitest";
import { editBytes } from "../../../src/tools/files/edit-bytes.ts";

const edit = (content: string, oldText: string, newText: string, replaceAll = false) => {
	const result = editBytes(Buffer.from(content), { oldText, newText, replaceAll });
	return result.kind === "edited" ? result.bytes.toString() : result;
};

it("counts overlapping occurrences when one must be the only one", () => {
	expect(edit("aaa", "aa", "b")).toEqual({ kind: "several", count: 2 });
	expect(edit("aaaa", "aa", "b", true)).toBe("bb");
});

it("replaces as replaceAll of strings does, in a file with one kind of line end", () => {
	const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "🐱", "\n"), maxLength: 30 });
	const part = fc.string({ unit: fc.constantFrom("a", "b", "é", "\n"), minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(text, part, text, (content, oldText, newText) => {
			const expected = content.includes(oldText) ? content.replaceAll(oldText, () => newText) : { kind: "not-found" };
			expect(edit(content, oldText, newText, true)).toEqual(expected);
			const crlf = (lf: string) => lf.replaceAll("\n", "\r\n");
			if (!content.includes("\n")) return;
			const result = edit(crlf(content), oldText, newText, true);
			expect(typeof result === "string" ? result.replaceAll("\r\n", "\n") : result).toEqual(expected);
			if (typeof result === "string") expect(result).toBe(crlf(result.replaceAll("\r\n", "\n")));
		}),
	);
});
