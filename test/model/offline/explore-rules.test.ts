import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type PartReport, parsePartReport } from "../../../src/model/offline/part-report.ts";
import type { NamedScopes, Scope } from "../../../src/model/offline/parts.ts";
import { partPrompt } from "../../../src/model/offline/survey-prompts.ts";
import {
	ask,
	callsPerTurn,
	createAgent,
	EXPLORE_TOOLS,
	makeTree,
	prompt,
	type RunTool,
	realTools,
	requestOf,
	userMessage,
} from "./fake-loop.ts";

// Real processes: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const below = (path: string): Scope => ({ path, depth: "all" });
const directly = (path: string): Scope => ({ path, depth: "direct" });

interface Exploration {
	readonly root: string;
	readonly scopes: readonly Scope[];
	readonly name?: string;
	readonly others?: readonly NamedScopes[];
	readonly runTool?: RunTool;
}

async function explore({ root, scopes, name = "part", others = [], runTool }: Exploration) {
	const agent = createAgent(EXPLORE_TOOLS, runTool ?? (await realTools(root)));
	const text = await prompt(agent, userMessage(partPrompt({ root, name, scopes, otherParts: others })));
	const report = parsePartReport(text);
	if (!report) throw new Error(`not a report: ${text}`);
	return { agent, text, report };
}

const lines = (count: number, line = "x") => `${line}\n`.repeat(count);
const NOTHING: PartReport["totals"] = { files: 0, lines: 0, todos: 0, exports: 0, entryPoints: 0, emptyOrBinary: 0 };

describe("an explore agent on a part with code", () => {
	const files = {
		"src/main.go":
			'// Package main starts the shop.\npackage main\n\nimport "example.com/shop/lib"\n\nfunc main() {}\nfunc Sell() {}\n',
		"src/util.py": "def a():\n    pass\n\nclass B: pass\n\ndef _hidden(): pass\n# FIXME: b\n",
		"src/run.sh": '#!/bin/sh\nsource "../lib/x.sh"\n# TODO: TODO twice\n',
		"src/cli.ts": "#!/usr/bin/env node\nexport const a = 1;\nexport default a;\n",
		"src/README.md": "# The source\n\n[![badge](x)](y)\n\nWhat the *shop* does.\n",
		"src/empty.ts": "",
		"src/logo.png": Buffer.from([0x89, 0, 1, 10, 0]),
		"src/dist/out.js": "export const no = 1;\n",
		"src/.cache/x.ts": "export const no = 1;\n",
		"src/ignored.log": "TODO\n",
		".gitignore": "*.log\n",
		"lib/x.sh": "\n",
		"go.mod": "module example.com/shop\n",
	};
	const others = [
		{ name: "lib", scopes: [below("lib")] },
		{ name: "(root files)", scopes: [directly("")] },
	];

	it("reports the figures that the tools gave", async () => {
		const { report, text, agent } = await explore({
			root: await makeTree(files),
			scopes: [below("src")],
			name: "src",
			others,
		});
		expect(text).toMatch(/_Written by the offline model: fixed rules, no LLM\..*_$/);
		// Lists and counts first, then searches, then reads, several calls at a time.
		expect(callsPerTurn(agent).map((calls) => calls.map(({ name }) => name))).toEqual([
			["glob", "grep", "grep"],
			["grep", "grep", "grep", "grep", "grep", "grep", "grep"],
			["read_file", "read_file"],
			[],
		]);
		expect(report).toEqual({
			part: "src",
			totals: { files: 7, lines: 25, todos: 2, exports: 5, entryPoints: 3, emptyOrBinary: 2 },
			purpose: [
				{ place: "src/README.md", text: "What the *shop* does." },
				{ place: "src/main.go", text: "Package main starts the shop." },
			],
			languages: [
				{ language: "Go", files: 1, lines: 7 },
				{ language: "Python", files: 1, lines: 7 },
				{ language: "Markdown", files: 1, lines: 5 },
				{ language: "TypeScript", files: 2, lines: 3 },
				{ language: "Shell", files: 1, lines: 3 },
				{ language: "images", files: 1, lines: 0 },
			],
			entryPoints: [
				{ place: "src/cli.ts:1", text: "#!/usr/bin/env node" },
				{ place: "src/main.go:6", text: "func main() {}" },
				{ place: "src/run.sh:1", text: "#!/bin/sh" },
			],
			exports: [
				{ path: "src/cli.ts", count: 2 },
				{ path: "src/util.py", count: 2 },
				{ path: "src/main.go", count: 1 },
			],
			todos: [
				{ place: "src/run.sh:3", text: "# TODO: TODO twice" },
				{ place: "src/util.py:7", text: "# FIXME: b" },
			],
			largestFiles: [
				{ path: "src/main.go", lines: 7 },
				{ path: "src/util.py", lines: 7 },
				{ path: "src/README.md", lines: 5 },
				{ path: "src/cli.ts", lines: 3 },
				{ path: "src/run.sh", lines: 3 },
			],
			imports: [{ part: "lib", count: 2, example: "src/main.go:4" }],
			notes: [],
		});
	});

	it("says the same when asked again, and the same from a folder above or elsewhere", async () => {
		const root = await makeTree(files);
		const above = await realTools(dirname(root));
		const elsewhere = await realTools(await makeTree({}), [root]);
		const runs = [await realTools(root), await realTools(root), above, elsewhere].map((runTool) =>
			explore({ root, scopes: [below("lib"), directly("")], name: "lib", runTool }),
		);
		const texts = (await Promise.all(runs)).map(({ text }) => text);
		expect(new Set(texts).size).toBe(1);
		expect(texts[0]).toContain("| files | 3 |");
	});
});

describe("an explore agent on an unusual part", () => {
	it("reports an empty folder", async () => {
		const root = await makeTree({ "a/x": "" });
		const { report } = await explore({ root, scopes: [below("nothing")] });
		expect(report.totals).toEqual(NOTHING);
		expect(report.notes).toEqual([
			"no files found",
			`nothing could not be listed: Error: file not found: ${root}/nothing`,
		]);
	});

	it("reports the files in the root alone", async () => {
		const root = await makeTree({
			"a.ts": lines(2),
			".env": lines(1),
			"sub/b.ts": lines(4),
			"sub/deep/c.ts": lines(8),
		});
		const { report } = await explore({ root, scopes: [directly("")] });
		expect(report.totals).toEqual({ ...NOTHING, files: 2, lines: 3 });
		const inner = await explore({ root, scopes: [directly("sub")] });
		expect(inner.report.totals).toEqual({ ...NOTHING, files: 1, lines: 4 });
	});

	it("reports a part that is one file", async () => {
		const { report } = await explore({
			root: await makeTree({ "docs/guide.md": "Guide\n=====\n" }),
			scopes: [below("docs")],
		});
		expect(report.totals).toEqual({ ...NOTHING, files: 1, lines: 2 });
		expect(report.purpose).toEqual([{ place: "docs/guide.md", text: "Guide" }]);
	});

	it("takes names with spaces, quotes, colons, brackets and other scripts as they are", async () => {
		const names = ["a b.ts", "it's.ts", "we:1:ird.ts", "[x]{y}.ts", "日本.ts", "`tick`|bar.ts", "-v.ts", "$HOME.ts"];
		const root = await makeTree(
			Object.fromEntries(names.map((name) => [`my [src], {ü}/${name}`, "export const a = 1; // TODO\n"])),
		);
		const { report } = await explore({ root, scopes: [below("my [src], {ü}")] });
		expect(report.totals).toEqual({ ...NOTHING, files: 8, lines: 8, todos: 8, exports: 8 });
		expect(report.todos.map(({ place }) => place).toSorted()).toEqual(
			names.map((name) => `my [src], {ü}/${name}:1`).toSorted(),
		);
		const direct = await explore({ root, scopes: [directly("my [src], {ü}")] });
		expect(direct.report.totals).toEqual(report.totals);
	});

	it("counts exactly where lists and results are cut", async () => {
		const files: Record<string, string> = {};
		for (let at = 0; at < 320; at += 1)
			files[`big/a${at % 4}/${"long-name-".repeat(12)}${at}.ts`] = lines(3, "import x from '../../other/x.ts';");
		for (let at = 0; at < 260; at += 1) files[`big/${at % 10}${"another-name-".repeat(13)}${at}.ts`] = lines(2);
		const root = await makeTree({ ...files, "other/x.ts": "\n" });
		const { report } = await explore({
			root,
			scopes: [below("big")],
			others: [{ name: "other", scopes: [below("other")] }],
		});
		expect(report.totals).toEqual({ ...NOTHING, files: 580, lines: 1480 });
		expect(report.languages).toEqual([{ language: "TypeScript", files: 580, lines: 1480 }]);
		expect(report.imports.map(({ part, count }) => [part, count])).toEqual([["other", 960]]);
		expect(report.notes).toEqual([]);
	});

	it("looks at many small folders together, without the other parts", async () => {
		const files: Record<string, string> = {};
		for (let at = 0; at < 20; at += 1) files[`f${at}/a.ts`] = lines(1, "// TODO");
		const root = await makeTree({ ...files, "big/a.ts": lines(9), "f3/dist/no.ts": lines(5), "root.ts": lines(7) });
		const { report, agent } = await explore({
			root,
			scopes: Array.from({ length: 20 }, (_, at) => below(`f${at}`)),
			others: [
				{ name: "big", scopes: [below("big")] },
				{ name: "(root files)", scopes: [directly("")] },
			],
		});
		expect(report.totals).toEqual({ ...NOTHING, files: 20, lines: 20, todos: 20 });
		expect(callsPerTurn(agent)[0]?.map(({ name }) => name)).toEqual(["glob", "grep"]);
	});

	it("goes on past files that cannot be read, and says so", async () => {
		const root = await makeTree({ "src/a.ts": lines(3), "src/b.ts": lines(1) });
		const real = await realTools(root);
		const runTool: RunTool = (name, input) =>
			name === "read_file" ? { content: "Error: no permission to read src/a.ts", isError: true } : real(name, input);
		const { report } = await explore({ root, scopes: [below("src")], runTool });
		expect(report.totals).toEqual({ ...NOTHING, files: 2, lines: 4 });
		expect(report.notes).toEqual(["src/a.ts could not be read: Error: no permission to read src/a.ts"]);
	});

	it("reports what is left when a search fails", async () => {
		const root = await makeTree({ "src/a.ts": lines(3) });
		const real = await realTools(root);
		const runTool: RunTool = (name, input) =>
			name === "grep"
				? { content: "Error: the call did not run: it was interrupted first", isError: true }
				: real(name, input);
		const { report } = await explore({ root, scopes: [below("src")], runTool });
		expect(report.totals).toEqual({ ...NOTHING, files: 1, emptyOrBinary: 1 });
		expect(report.notes[0]).toBe("grep in src failed: Error: the call did not run: it was interrupted first");
	});

	it("asks again for a list that left the conversation, and says so when it does not come back", async () => {
		const root = await makeTree({ "src/a.ts": lines(3) });
		const real = await realTools(root);
		const moved = {
			content: '<persisted-output path="/o/1.txt" characters="9">Old result.</persisted-output>',
			isError: false,
		};
		let lists = 0;
		const losing =
			(losses: number): RunTool =>
			(name, input) => {
				if (name !== "glob") return real(name, input);
				lists += 1;
				return lists <= losses ? moved : real(name, input);
			};
		const once = await explore({ root, scopes: [below("src")], runTool: losing(1) });
		expect(once.report).toMatchObject({ totals: { files: 1, lines: 3 }, notes: [] });
		lists = 0;
		const always = await explore({ root, scopes: [below("src")], runTool: losing(9) });
		expect(lists).toBe(3);
		expect(always.report.notes).toEqual([
			"no files found",
			"src could not be listed: the list did not fit into the conversation",
		]);
	});

	it("does not follow a symlink out of the tree", async () => {
		const root = await makeTree({ "src/a.ts": lines(1), "src/sub/b.ts": lines(1) });
		await symlink(join(await makeTree({ "secret.ts": lines(9) }), "secret.ts"), join(root, "src/link.ts"));
		const { report } = await explore({ root, scopes: [below("src")] });
		expect(report.totals.lines).toBe(2);
	});

	it("reports what it knows when it may call no more tools", async () => {
		const root = await makeTree({ "src/a.ts": lines(3) });
		const runTool = await realTools(root);
		const agent = createAgent(EXPLORE_TOOLS, runTool);
		await prompt(agent, userMessage(partPrompt({ root, name: "src", scopes: [below("src")], otherParts: [] })));
		const afterFirstTurn = agent.messages.slice(0, 3);
		const reply = await ask({ ...requestOf(afterFirstTurn, EXPLORE_TOOLS), toolFree: true });
		const text = reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
		expect(parsePartReport(text)).toMatchObject({
			totals: { files: 1, lines: 3 },
			notes: ["it was cut short by a limit: the figures are those found until then"],
		});
	});
});
