// A tool context on real folders, with everything a test may want to look at afterwards.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Tool, ToolContext, ToolOutput } from "../../src/tools/definition.ts";
import { formatInputErrors } from "../../src/tools/input-errors.ts";
import { createReadTracker } from "../../src/tools/read-tracker.ts";
import { createWorkspace } from "../../src/tools/workspace.ts";

/** A folder of its own, gone after the test. */
export async function temporaryFolder(): Promise<string> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "clowder-tools-")));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

export interface TestContext extends ToolContext {
	readonly root: string;
	/** Beside the workspace: what no tool may reach. */
	readonly outside: string;
	readonly controller: AbortController;
	readonly groups: Set<number>;
	/** Every group that was ever recorded. */
	readonly recorded: number[];
	/** How often a call showed that it is alive. */
	readonly touches: { count: number };
}

export async function createTestContext(overrides: Partial<ToolContext> = {}): Promise<TestContext> {
	const base = await temporaryFolder();
	const [root, outside, outputDir] = [join(base, "work"), join(base, "outside"), join(base, "outputs")];
	for (const folder of [root, outside, outputDir]) await mkdir(folder);
	const controller = new AbortController();
	const groups = new Set<number>();
	const recorded: number[] = [];
	const touches = { count: 0 };
	return {
		root,
		outside,
		controller,
		groups,
		recorded,
		touches,
		toolUseId: "toolu_1",
		agent: { runId: "task_1", name: "tester", type: "general" },
		cwd: root,
		workspace: await createWorkspace({ cwd: root }),
		signal: controller.signal,
		clock: systemClock,
		env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: outside },
		processes: {
			marker: { CLOWDER_RUN: "task_1" },
			add: (pid) => {
				groups.add(pid);
				recorded.push(pid);
			},
			remove: (pid) => void groups.delete(pid),
		},
		reads: createReadTracker(),
		outputDir,
		readOnly: false,
		hiddenFrom: async () => ({ globs: [], ignoreCase: false }),
		ask: () => Promise.reject(new Error("nobody is asked in this test")),
		touch: () => void touches.count++,
		log: () => {},
		...overrides,
	};
}

export interface Result {
	readonly content: string;
	readonly isError: boolean;
}

/** One call as the agent loop makes it: input checked, what is thrown turned into an error result. */
export async function call<Input>(tool: Tool<Input>, input: unknown, context: ToolContext): Promise<Result> {
	const parsed = tool.inputSchema.safeParse(input);
	if (!parsed.success) return { content: formatInputErrors(parsed.error.issues, input), isError: true };
	try {
		return toResult(await tool.execute(parsed.data, context));
	} catch (thrown) {
		return { content: thrown instanceof Error ? thrown.message : String(thrown), isError: true };
	}
}

function toResult(output: ToolOutput): Result {
	if (typeof output === "string") return { content: output, isError: false };
	return { content: output.content, isError: output.isError ?? false };
}

/** Waits until `condition` holds; the test's own timeout bounds it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export async function makeFifo(path: string): Promise<void> {
	await promisify(execFile)("mkfifo", [path]);
}
