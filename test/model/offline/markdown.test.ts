import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	cell,
	code,
	codeCell,
	readCell,
	readCount,
	table,
	tableRows,
	takeCode,
} from "../../../src/model/offline/markdown.ts";

const anyText = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string({ unit: fc.constantFrom("`", "|", '"', "\\", " ", "\n", "a", "é", "\u202e", "\ud800") }),
);

describe("code spans", () => {
	it("show plain text as it stands", () => {
		expect(code("src/a b.ts:3")).toBe("`src/a b.ts:3`");
	});

	it("take a longer fence where the text holds backticks", () => {
		expect(code("use `x` here")).toBe("`` use `x` here ``");
	});

	it("write as JSON what no span can hold", () => {
		expect(code("two\nlines")).toBe('`"two\\nlines"`');
		expect(code("")).toBe('`""`');
		expect(code("turned \u202e round")).toBe('`"turned \\u202e round"`');
	});

	it("hide the bar in a table cell only", () => {
		expect(code("a|b")).toBe("`a|b`");
		expect(codeCell("a|b")).toBe('`"a\\u007cb"`');
	});

	it("give back any text, whatever follows them", () => {
		fc.assert(
			fc.property(anyText, (text) => {
				expect(takeCode(`${code(text)}: rest`)).toEqual({ value: text, rest: ": rest" });
			}),
		);
	});

	it("are one line without anything a terminal acts on", () => {
		fc.assert(
			fc.property(anyText, (text) => {
				expect(code(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
			}),
		);
	});
});

describe("tables", () => {
	it("give back any cell", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }), (rows) => {
				const text = table(
					["one", "two"],
					rows.map((row) => row.map(cell)),
				);
				expect(tableRows(text.split("\n")).map((row) => row.map(readCell))).toEqual(rows);
			}),
		);
	});

	it("read counts with and without thousands separators", () => {
		expect([readCount("12"), readCount("1,234"), readCount("–"), readCount(undefined)]).toEqual([
			12,
			1234,
			undefined,
			undefined,
		]);
	});
});
