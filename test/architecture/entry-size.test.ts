import { isBuiltin } from "node:module";
import { describe, expect, test } from "vitest";
import { loadedAtStart, readMetafile } from "./built-entry.ts";

// Every agent has a thread and every thread loads this: bytes here are paid per agent.
const AGENT_ENTRIES = ["subagent.worker", "lead.worker"];
const AGENT_BUDGET_BYTES = 240_000;
const HEAVY = [
	"@anthropic-ai/sdk",
	"piscina",
	"lmdb",
	"zod/v4/classic",
	"zod/v4/locales",
	"execa",
	"turndown",
	"sh-syntax",
	"commander",
];

describe.each(AGENT_ENTRIES)("the built entry %s", (name) => {
	const loaded = () => loadedAtStart(readMetafile(name), `workers/${name}.ts`);

	test("loads nothing an agent does not need for its first turn", () => {
		const heavy = loaded().sources.filter((path) => HEAVY.some((part) => path.includes(`node_modules/${part}/`)));
		expect(heavy).toEqual([]);
	});

	test("needs no package from node_modules to start", () => {
		expect(loaded().externals.filter((path) => !isBuiltin(path))).toEqual([]);
	});

	test("stays within its size", () => {
		expect(loaded().bytes).toBeLessThan(AGENT_BUDGET_BYTES);
	});
});

describe("the built gateway", () => {
	test("loads no provider, and no languages of a package, before it is asked", () => {
		const { sources, bytes } = loadedAtStart(readMetafile("gateway.worker"), "workers/gateway.worker.ts");
		const later = ["@anthropic-ai/sdk/", "zod/v4/locales/de.", "src/model/anthropic/", "src/model/offline/"];
		expect(sources.filter((path) => later.some((part) => path.includes(part)))).toEqual([]);
		expect(bytes).toBeLessThan(300_000);
	});
});

describe("the built library entry", () => {
	// A tool module imports defineTool from "clowder" inside every agent's thread. The store's native addon there would
	// also take the whole process down when a thread is ended while it loads.
	const loaded = () => loadedAtStart(readMetafile("main"), "src/index.ts");

	test("needs no package from node_modules to start", () => {
		expect(loaded().externals.filter((path) => !isBuiltin(path))).toEqual([]);
	});

	test("stays within its size", () => {
		expect(loaded().bytes).toBeLessThan(20_000);
	});
});

describe("what `clowder -p` loads at once", () => {
	const loaded = () => loadedAtStart(readMetafile("cli"), "src/cli/headless/headless.ts");

	test("is bundled, but for the packages that find files of their own", () => {
		const packages = loaded().externals.filter((path) => !isBuiltin(path));
		expect([...new Set(packages)].sort()).toEqual(["lmdb", "piscina"]);
	});

	test("has nothing that only a terminal or a web page needs", () => {
		const later = ["string-width", "turndown", "zod/v4/locales/de."];
		expect(loaded().sources.filter((path) => later.some((part) => path.includes(`node_modules/${part}`)))).toEqual([]);
	});
});

describe("the reader of built entries", () => {
	const output = (imports: { path: string; kind: string; external?: boolean }[], inputs: Record<string, number>) => ({
		bytes: 100,
		imports,
		inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
	});

	test("follows static imports through chunks and leaves dynamic ones out", () => {
		const metafile = {
			outputs: {
				"dist.next-1/workers/a.js": {
					...output(
						[
							{ path: "dist.next-1/workers/chunk.js", kind: "import-statement" },
							{ path: "dist.next-1/workers/later.js", kind: "dynamic-import" },
							{ path: "node:fs", kind: "import-statement", external: true },
						],
						{ "src/a.ts": 10, "src/dropped.ts": 0 },
					),
					entryPoint: "workers/a.ts",
				},
				"dist.next-1/workers/chunk.js": output([{ path: "dist.next-1/workers/deep.js", kind: "import-statement" }], {
					"node_modules/piscina/dist/index.js": 10,
				}),
				"dist.next-1/workers/deep.js": output([], { "src/deep.ts": 10 }),
				"dist.next-1/workers/later.js": output([], { "node_modules/execa/index.js": 10 }),
			},
		};
		expect(loadedAtStart(metafile, "workers/a.ts")).toEqual({
			files: ["workers/a.js", "workers/chunk.js", "workers/deep.js"],
			bytes: 300,
			sources: ["src/a.ts", "node_modules/piscina/dist/index.js", "src/deep.ts"],
			externals: ["node:fs"],
		});
	});
});
