import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/config/json-fault.ts";

describe("findJsonFault", () => {
	it.each([
		['{"a": 1,}', 1, 9, "there must be no comma before }"],
		["[1, 2,\n]", 2, 1, "there must be no comma before ]"],
		['{\n\t// why\n\t"a": 1}', 2, 2, "comments are not allowed in JSON"],
		["{'a': 1}", 1, 2, "JSON takes double quotes only"],
		['{"a" 1}', 1, 6, "found '1' where a : is expected"],
		['{"a": 1 "b": 2}', 1, 9, "found '\"' where a comma or end is expected"],
		['{"a": undefined}', 1, 7, "found 'u' where a value is expected"],
		['{"a": "x\ny"}', 1, 7, "this text has no closing quote, or a line break or bad escape in it"],
		['{"a": 01}', 1, 7, "found '0' where a value is expected"],
		['{"a": 1} x', 1, 10, "'x' stands after the end of the JSON value"],
		['{"a": [1}', 1, 9, "found '}' where a comma or end is expected"],
		['{"a":', 1, 6, "the text ends where a value is expected"],
		['{\n"a": {\n', 3, 1, "the text ends where a key in double quotes or } is expected"],
		["{a: 1}", 1, 2, "found 'a' where a key in double quotes or } is expected"],
		["", 1, 1, "the text ends where a value is expected"],
	])("finds what is wrong in %j", (text, line, column, reason) => {
		expect(findJsonFault(text)).toEqual({ line, column, reason });
	});

	it("finds nothing in any JSON", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom("", "\t", "  "), (value, indent) => {
				expect(findJsonFault(JSON.stringify(value, null, indent))).toBeUndefined();
			}),
		);
	});

	it("agrees with JSON.parse on any damaged text", () => {
		const damaged = fc
			.tuple(fc.jsonValue(), fc.nat(), fc.constantFrom("", ",", "}", '"', "1", "x", "\\", "-", "]"))
			.map(([value, at, insert]) => {
				const text = JSON.stringify(value);
				const cut = at % (text.length + 1);
				return text.slice(0, cut) + insert + text.slice(insert === "" ? cut + 1 : cut);
			});
		fc.assert(
			fc.property(damaged, (text) => {
				let valid = true;
				try {
					JSON.parse(text);
				} catch {
					valid = false;
				}
				expect(findJsonFault(text) === undefined).toBe(valid);
			}),
		);
	});
});
