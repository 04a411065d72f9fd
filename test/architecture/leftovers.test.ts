import { describe, expect, test } from "vitest";
import { listSources, readSource } from "./file-facts.ts";

interface Leftover {
	readonly name: string;
	readonly pattern: RegExp;
	readonly where: (path: string) => boolean;
}

const inTests = (path: string) => path.startsWith("test/");
const anywhere = () => true;

// Patterns are written so that this file does not match itself.
const LEFTOVERS: readonly Leftover[] = [
	{ name: "open end", pattern: /(^|[^"'`])(\/\/|\*)\s*(TO[D]O|FIX[M]E|HAC[K]|XX[X])\b/, where: anywhere },
	{ name: "compiler silenced", pattern: /@ts-(ignor[e]|nochec[k])/, where: anywhere },
	{ name: "test left out", pattern: /\b(it|test|describe)\.(ski[p]|onl[y]|tod[o])\b/, where: inTests },
	{ name: "test that cannot fail", pattern: /expect\(tru[e]\)/, where: inTests },
	{ name: "sleep in a test", pattern: /setTimeou[t]\([^)]*, *\d{3,}/, where: inTests },
	{ name: "not built", pattern: /\bnot (yet )?implemente[d]\b/i, where: (path) => !inTests(path) },
];

function findLeftovers(path: string, text: string): string[] {
	const lines = text.split("\n");
	return LEFTOVERS.filter(({ where }) => where(path)).flatMap(({ name, pattern }) =>
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
			`// ${"TO"}DO later`,
			`// @ts-${"ignore"}`,
			`test.${"skip"}("x")`,
			`expect(${"true"})`,
			`setTimeout${"(done, 500)"}`,
		].join("\n");
		expect(findLeftovers("src/a.ts", text).map((line) => line.split(":")[1])).toEqual([
			"1 open end",
			"2 compiler silenced",
		]);
		expect(findLeftovers("test/a.test.ts", text)).toHaveLength(5);
	});
});
