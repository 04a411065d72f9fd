import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PartReport, parsePartReport, renderPartReport } from "../../../src/model/offline/part-report.ts";

const text = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string({ unit: fc.constantFrom("`", "|", "#", "-", ":", " ", "\n", "x") }),
);
const count = fc.nat();
const finding = fc.record({ place: text, text });
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });

const anyReport: fc.Arbitrary<PartReport> = fc.record({
	part: text,
	totals: fc.record({
		files: count,
		lines: count,
		todos: count,
		exports: count,
		entryPoints: count,
		emptyOrBinary: count,
	}),
	purpose: few(finding),
	languages: few(fc.record({ language: text, files: count, lines: count })),
	entryPoints: few(finding),
	exports: few(fc.record({ path: text, count })),
	todos: few(finding),
	largestFiles: few(fc.record({ path: text, lines: count })),
	imports: few(fc.record({ part: text, count, example: text })),
	notes: few(text),
});

const REPORT: PartReport = {
	part: "src",
	totals: { files: 3, lines: 120, todos: 5, exports: 2, entryPoints: 1, emptyOrBinary: 1 },
	purpose: [],
	languages: [{ language: "C++", files: 2, lines: 120 }],
	entryPoints: [{ place: "src/main.cpp:9", text: "int main() {" }],
	exports: [],
	todos: [{ place: "src/a|b.cpp:1", text: "// TODO: use `auto`" }],
	largestFiles: [{ path: "src/a|b.cpp", lines: 100 }],
	imports: [{ part: "lib", count: 4, example: "src/main.cpp:1" }],
	notes: ["grep failed: no\nmemory"],
};

const TEXT = `# Part report: \`src\`

| figure | value |
| --- | ---: |
| files | 3 |
| lines | 120 |
| TODO/FIXME | 5 |
| exports | 2 |
| entry points | 1 |
| empty or binary files | 1 |

## What it is

(none)

## Languages

| language | files | lines |
| --- | ---: | ---: |
| C++ | 2 | 120 |

## Entry points

- \`src/main.cpp:9\`: \`int main() {\`

## Exports

(none)

## TODO and FIXME

- \`src/a|b.cpp:1\`: \`\` // TODO: use \`auto\` \`\`
- and 4 more

## Largest files

| file | lines |
| --- | ---: |
| \`"src/a\\u007cb.cpp"\` | 100 |

## Imports from other parts

| part | imports | example |
| --- | ---: | --- |
| \`lib\` | 4 | \`src/main.cpp:1\` |

## Notes

- \`"grep failed: no\\nmemory"\``;

describe("the report on a part", () => {
	it("reads as Markdown with fixed headings", () => {
		expect(renderPartReport(REPORT)).toBe(TEXT);
	});

	it("is read back as it was written, whatever it holds", () => {
		fc.assert(
			fc.property(anyReport, (report) => {
				expect(parsePartReport(renderPartReport(report))).toEqual(report);
			}),
		);
	});

	it("is found between other words", () => {
		expect(parsePartReport(`Here it is.\n\n${TEXT}\n\nThat is all.`)).toEqual(REPORT);
	});

	it("takes thousands separators, Windows line ends and missing sections from a looser writer", () => {
		const loose =
			"# Part report: src\r\n\r\n| figure | value |\r\n|---|---|\r\n| files | 1,024 |\r\n| lines | 99,000 |\r\n";
		expect(parsePartReport(loose)).toMatchObject({
			part: "src",
			totals: { files: 1024, lines: 99_000, todos: 0 },
			todos: [],
		});
	});

	it("is not seen in a text of another shape", () => {
		expect(parsePartReport("There are 3 files.")).toBeUndefined();
		expect(parsePartReport("# Part report: `src`\n\nno figures")).toBeUndefined();
	});
});
