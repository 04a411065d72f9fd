import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { factsOf, listSources, projectRoot, readSource } from "./file-facts.ts";

const ENTRIES = ["gateway", "lead", "subagent"];
const packageJson = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8"));

describe("thread entries", () => {
	test("are the files of workers/, and nowhere else", () => {
		expect(listSources("workers")).toEqual(ENTRIES.map((name) => `workers/${name}.worker.ts`));
		expect(listSources("src").filter((path) => path.endsWith(".worker.ts"))).toEqual([]);
	});

	test("have the same names in the entry table, in the package's exports and in the build", () => {
		const declared = /type EntryName = ([^;]+);/.exec(readSource("src/thread/entries.ts"))?.[1] ?? "";
		expect([...declared.matchAll(/"(\w+)"/g)].map((match) => match[1]).sort()).toEqual(ENTRIES);
		for (const name of ENTRIES) {
			// The pool's file is CommonJS, for a reason that stands in it, and imports the bundle beside it.
			const file = name === "subagent" ? "subagent.cjs" : `${name}.worker.js`;
			expect(packageJson.exports[`./worker/${name}`]).toBe(`./dist/workers/${file}`);
			expect(existsSync(`${projectRoot}dist/workers/${file}`), `dist/workers/${file}`).toBe(true);
			expect(existsSync(`${projectRoot}dist/workers/${name}.worker.js`), `dist/workers/${name}.worker.js`).toBe(true);
		}
		const built = readdirSync(`${projectRoot}dist/workers`).filter((file) => file.endsWith(".worker.js"));
		expect(built.sort()).toEqual(ENTRIES.map((name) => `${name}.worker.js`));
	});

	test("are a few lines each: what a thread does is in runtime/, where tests reach it", () => {
		const long = listSources("workers")
			.map((path) => factsOf(path, readSource(path)))
			.filter(({ lines }) => lines > 25);
		expect(long.map(({ path }) => path)).toEqual([]);
	});

	test("have a name of their own outside the wall and inside it", () => {
		const misplaced = listSources("src").filter(
			(path) => /-thread(-main)?\.ts$/.test(path) && !/^src\/(thread|runtime)\//.test(path),
		);
		expect(misplaced).toEqual([]);
	});
});

describe("the command-line entry", () => {
	test("can be run as a program", () => {
		const file = `${projectRoot}${packageJson.bin.clowder}`;
		expect(readFileSync(file, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
		expect(statSync(file).mode & 0o111).not.toBe(0);
	});
});
