import { describe, expect, test } from "vitest";
import { blankTexts, listSources, readSource } from "./file-facts.ts";

interface Leftover {
	readonly name: string;
	readonly pattern: RegExp;
	readonly where: (path: string) => boolean;
}

const inTests = (path: string) => path.startsWith("test/");
const anywhere = () => true;

const LEFTOVERS: readonly Leftover[] = [
	{ name: "open end", pattern: /(\/\/|\*)\s*(TODO|FIXME|HACK|XXX)\b/, where: anywhere },
	{ name: "compiler silenced", pattern: /@ts-(ignore|nocheck)/, where: anywhere },
	{ name: "test left out", pattern: /\b(it|test|describe)\.(skip|only|todo)\b/, where: inTests },
	{ name: "test that cannot fail", pattern: /expect\(true\)/, where: inTests },
	{ name: "sleep in a test", pattern: /setTimeout\([^)]*, *\d{3,}/, where: inTests },
	{ name: "not built", pattern: /\bnot (yet )?implemented\b/i, where: (path) => !inTests(path) },
];

/** Looks at code and comments; what a string or a pattern holds is the program's own business. */
function findLeftovers(path: string, text: string): string[] {
	const candidates = LEFTOVERS.filter(({ where, pattern }) => where(path) && pattern.test(text));
	if (candidates.length === 0) return [];
	const lines = blankTexts(path, text).split("\n");
	return candidates.flatMap(({ name, pattern }) =>
		lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${name}: ${line.trim()}`] : [])),
	);
}

describe("the sources", () => {
	test("hold nothing left over from the work on them", () => {
		const found = listSources("src", "workers", "test", "bench").flatMap((path) =>
			findLeftovers(path, readSource(path)),
		);
		expect(found).toEqual([]);
	});
});

describe("the search for leftovers", () => {
	test("finds each kind", () => {
		const text = [
			"// TODO later",
			"// @ts-ignore",
			'test.skip("x")',
			"expect(true)",
			"setTimeout(done, 500)",
			"const fine = ['TODO', /FIXME/, `// HACK`];",
		].join("\n");
		expect(findLeftovers("src/a.ts", text).map((line) => line.split(":")[1])).toEqual([
			"1 open end",
			"2 compiler silenced",
		]);
		expect(findLeftovers("test/a.test.ts", text)).toHaveLength(5);
	});
});
