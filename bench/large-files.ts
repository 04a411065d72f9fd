// read_file and grep on what is no ordinary source file: a text of a gigabyte, a binary, a FIFO, a folder, nothing.
//
//   npm run bench -- large-files [bytes=1080000000]
//
// Printed per call: the time to the answer, how much more memory this process held at its worst moment, and how the
// answer begins or ends. The text is made first and read once, so that its pages are in memory.

import { execFileSync } from "node:child_process";
import { mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/lib/clock.ts";
import { grepTool } from "../src/tools/builtin/grep.ts";
import { readFileTool } from "../src/tools/builtin/read-file.ts";
import type { Tool, ToolContext } from "../src/tools/definition.ts";
import { createReadTracker } from "../src/tools/read-tracker.ts";
import { createWorkspace } from "../src/tools/workspace.ts";
import { readNumbers } from "./support/arguments.ts";

const [bytes = 1_080_000_000] = readNumbers("large-files", [{ name: "bytes", fallback: 1_080_000_000 }]);
const folder = await realpath(await mkdtemp(join(tmpdir(), "clowder-bench-")));

async function writeText(path: string): Promise<number> {
	const line = (n: number) =>
		`${String(n).padStart(8, "0")} INFO request ${n % 977} of user ${n % 13_001} took ${n % 89} ms`;
	const block = `${Array.from({ length: 100_000 }, (_, n) => line(n)).join("\n")}\n`;
	const file = await open(path, "w");
	let written = 0;
	for (; written < bytes; written += block.length) await file.write(block);
	await file.write("the last line\n");
	await file.close();
	return (written / block.length) * 100_000 + 1;
}

const nothing = () => {};
const workspace = await createWorkspace({ cwd: folder });
const contextOf = (): ToolContext => ({
	...{ toolUseId: "bench", agent: { runId: "bench", name: "bench", type: "general" }, cwd: folder, workspace },
	...{ signal: new AbortController().signal, clock: systemClock, env: { PATH: process.env.PATH ?? "" } },
	...{ processes: { marker: {}, add: nothing, remove: nothing }, reads: createReadTracker(), outputDir: folder },
	...{ readOnly: true, hiddenFrom: async () => ({ globs: [], ignoreCase: false }), touch: nothing, log: nothing },
	ask: () => Promise.reject(new Error("nobody is asked here")),
});

async function time<Input>(title: string, tool: Tool<Input>, input: unknown): Promise<void> {
	const parsed = tool.inputSchema.safeParse(input);
	if (!parsed.success) throw new Error(`${title}: the input is wrong`);
	const before = process.memoryUsage.rss();
	let most = before;
	const sampler = setInterval(() => {
		most = Math.max(most, process.memoryUsage.rss());
	}, 5);
	const startedMs = performance.now();
	const output = await Promise.resolve(tool.execute(parsed.data, contextOf())).catch((thrown: Error) => thrown.message);
	const ms = performance.now() - startedMs;
	clearInterval(sampler);
	const text = typeof output === "string" ? output : output.content;
	const cells = [`${ms.toFixed(0)} ms`.padStart(8), `+${((most - before) / 2 ** 20).toFixed(0)} MiB`.padStart(9)];
	console.log(`${title.padEnd(36)}${cells.join(" ")}  ${text.split("\n").at(-1)?.slice(0, 150)}`);
}

const lines = await writeText(join(folder, "big.log"));
await writeFile(join(folder, "binary"), Buffer.alloc(1_000_000));
execFileSync("mkfifo", [join(folder, "pipe")]);
await time("grep, a word that is not there", grepTool, { pattern: "haystack", path: "big.log", timeout_ms: 60_000 });
console.log("(that one read the file into memory)\n");

await time("read_file, start", readFileTool, { path: "big.log" });
await time("read_file, middle", readFileTool, { path: "big.log", offset: Math.floor(lines / 2), limit: 1 });
await time("read_file, last line", readFileTool, { path: "big.log", offset: lines, limit: 1 });
await time("read_file, past the end", readFileTool, { path: "big.log", offset: lines + 10 });
await time("grep, a word that is not there", grepTool, { pattern: "haystack", path: "big.log" });
await time("grep, the last line", grepTool, { pattern: "^the last", path: "big.log" });
await time("grep, every line begins to match", grepTool, {
	pattern: "(?i)info.*zz+y",
	path: "big.log",
});
await time("grep, every line matches", grepTool, { pattern: "INFO", path: "big.log" });
await time("grep, counts every line", grepTool, { pattern: "INFO", path: "big.log", output_mode: "count" });
for (const [tool, more] of [
	[readFileTool, {}],
	[grepTool, { pattern: "needle" }],
] as const) {
	for (const path of ["binary", "pipe", ".", "missing"]) {
		await time(`${tool.name}, ${path}`, tool as Tool<unknown>, { path, ...more });
	}
}
await rm(folder, { recursive: true, force: true });
