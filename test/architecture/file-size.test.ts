import { expect, test } from "vitest";
import { factsOf, listSources, readSource } from "./file-facts.ts";

const MAX_LINES = 250;

// A file above the limit stands here with its reason, or is split.
const REASONS: Readonly<Record<string, string>> = {};

const files = listSources("src", "workers").map((path) => factsOf(path, readSource(path)));

test("keeps every source file within 250 lines, or gives its reason", () => {
	const long = files.filter(({ path, lines }) => lines > MAX_LINES && !(path in REASONS));
	expect(long.map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
});

test("keeps no reason for a file that is short again or gone", () => {
	const needed = new Set(files.filter(({ lines }) => lines > MAX_LINES).map(({ path }) => path));
	expect(Object.keys(REASONS).filter((path) => !needed.has(path))).toEqual([]);
});

test("keeps the median source file near 100 lines", () => {
	const lines = files.map((file) => file.lines).sort((a, b) => a - b);
	expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(120);
});

test("names every file in kebab-case, and no folder after nothing in particular", () => {
	const odd = files
		.map(({ path }) => path)
		.filter((path) => {
			const parts = path.split("/").slice(1);
			const vague = parts.some((part) => /^(core|common|shared|utils?|helpers?|services?|managers?)$/.test(part));
			const kebab = parts.every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.(worker|d))?(\.ts)?$/.test(part));
			return vague || !kebab;
		});
	expect(odd).toEqual([]);
});
