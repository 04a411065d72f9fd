import { access, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import { bashTool } from "../../../src/tools/builtin/bash.ts";
import type { ToolContext } from "../../../src/tools/definition.ts";
import { isGroupAlive } from "../../../src/tools/process/process-group.ts";
import { call, createTestContext, makeFifo, type Result, type TestContext, until } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});
afterEach(() => {
	for (const pid of context.recorded) {
		try {
			process.kill(-pid, "SIGKILL");
		} catch {
			// It has ended.
		}
	}
});

const bash = (input: unknown, other: ToolContext = context) => call(bashTool, input, other);
const ok = (content: string): Result => ({ content, isError: false });
const failed = (content: string): Result => ({ content, isError: true });

describe("output", () => {
	it("returns what a command prints, both streams in order", async () => {
		expect(await bash({ command: "echo one; echo two >&2; echo three" })).toEqual(ok("one\ntwo\nthree"));
	});

	it("says that there was none", async () => {
		expect(await bash({ command: "true" })).toEqual(ok("(no output)"));
	});

	it("shows the exit code of a failure", async () => {
		expect(await bash({ command: "echo bad; exit 3" })).toEqual(failed("bad\nExit code: 3"));
		expect(await bash({ command: "exit 1" })).toEqual(failed("(no output)\nExit code: 1"));
	});

	it("shows what the shell says about a command it cannot run", async () => {
		const result = await bash({ command: "no-such-command" });
		expect(result.content).toMatch(/no-such-command: command not found\nExit code: 127$/);
	});

	it("shows an end by a signal as its exit code", async () => {
		expect(await bash({ command: "kill -KILL $$" })).toEqual(failed("(no output)\nExit code: 137"));
	});

	it("says so when the whole group was ended from inside", async () => {
		expect(await bash({ command: "echo out; kill -KILL 0" })).toMatchObject({ isError: true });
	});

	it("gives the command real pipes, so that /dev/stderr and /dev/stdout can be opened", async () => {
		expect(await bash({ command: "echo a > /dev/stderr; echo b | tee /dev/stdout" })).toEqual(ok("a\nb\nb"));
	});

	it("keeps unicode and quotes as they are", async () => {
		expect(await bash({ command: "printf '%s' \"né 🐱 \\\"'\"" })).toEqual(ok("né 🐱 \"'"));
	});

	it("takes heredocs and several lines", async () => {
		expect(await bash({ command: "cat <<'END'\na $HOME\nEND\necho b" })).toEqual(ok("a $HOME\nb"));
	});

	it("cuts output over 50,000 characters in the middle and keeps the whole in a file", async () => {
		const { content, isError } = await bash({ command: "seq 1 20000" });
		const file = join(context.outputDir, "bash-toolu_1.txt");
		expect(isError).toBe(false);
		expect(content.length).toBeLessThanOrEqual(50_000);
		expect(content).toContain(`characters left out; the whole output (106.3 KB) is in ${file}]`);
		expect(content.startsWith("1\n2\n3\n")).toBe(true);
		expect(content.endsWith("\n19999\n20000")).toBe(true);
		const whole = await readFile(file, "utf8");
		expect(whole).toBe(`${Array.from({ length: 20_000 }, (_, index) => index + 1).join("\n")}\n`);
	});

	it("keeps the whole of it also where the file takes it slowly, and the command has ended long before", async () => {
		const file = join(context.outputDir, "bash-toolu_1.txt");
		await makeFifo(file);
		const running = bash({ command: "seq 1 20000" });
		// Nobody reads the pipe that stands in the file's place: nothing can be written, and the command ends meanwhile.
		await until(() => context.recorded.length === 1 && context.groups.size === 0);
		const whole = readFile(file, "utf8");
		expect((await running).content).toContain(`the whole output (106.3 KB) is in ${file}]`);
		expect(await whole).toBe(`${Array.from({ length: 20_000 }, (_, index) => index + 1).join("\n")}\n`);
	});

	it("writes no file for short output", async () => {
		await bash({ command: "echo hi" });
		expect(await readdir(context.outputDir)).toEqual([]);
	});
});

describe("surroundings", () => {
	it("starts every call in the agent's folder", async () => {
		expect(await bash({ command: "pwd; cd /" })).toEqual(ok(context.root));
		expect(await bash({ command: "pwd" })).toEqual(ok(context.root));
	});

	it("passes the agent's environment and the marker, and nothing of this process", async () => {
		vi.stubEnv("CLOWDER_TEST_SECRET", "of the host");
		const env = { ...context.env, GREETING: "hi" };
		const command = 'echo "$GREETING|$CLOWDER_RUN|$CLOWDER_TEST_SECRET"';
		expect(await bash({ command }, { ...context, env })).toEqual(ok("hi|task_1|"));
		vi.unstubAllEnvs();
	});

	it("closes the input", async () => {
		expect(await bash({ command: "cat; read line; echo $?" })).toEqual(ok("1"));
	});

	it("says that the working folder is gone", async () => {
		await rm(context.root, { recursive: true });
		expect(await bash({ command: "true" })).toEqual(failed(`Error: the working folder ${context.root} does not exist`));
	});
});

describe("input", () => {
	it("names what is missing or wrong", async () => {
		expect(await bash({})).toEqual(failed("Error: command is required"));
		expect(await bash({ command: "" })).toEqual(failed("Error: command is required"));
		expect(await bash({ command: "a", timeout_ms: 0 })).toEqual(
			failed("Error: timeout_ms must be a whole number from 1 to 3600000"),
		);
		expect(await bash({ command: "a", run_in_background: "perhaps" })).toEqual(
			failed("Error: run_in_background must be true or false"),
		);
	});

	it("refuses what no shell could be given", async () => {
		expect(await bash({ command: "a\0b" })).toEqual(failed("Error: command contains a null byte"));
		expect(await bash({ command: `: ${"x".repeat(140_000)}` })).toEqual(
			failed("Error: command is too long (140002 bytes); write it to a file and run that"),
		);
	});

	it("describes a call by its description, else by the command", () => {
		expect(bashTool.summarize?.({ command: "ls" })).toBe("ls");
		expect(bashTool.summarize?.({ command: "ls", description: "Lists files" })).toBe("Lists files");
	});

	it("hands a background job to main and returns its answer", async () => {
		const ask = vi.fn(async () => ({ content: "Job started: job_1" }));
		const result = await bash(
			{ command: "sleep 9", run_in_background: true, description: "Sleeps", timeout_ms: 5 },
			{ ...context, ask: ask as unknown as ToolContext["ask"] },
		);
		expect(result).toEqual(ok("Job started: job_1"));
		expect(ask.mock.calls).toEqual([
			[
				"room-call",
				{
					room: "background",
					name: "start_job",
					toolUseId: "toolu_1",
					input: { command: "sleep 9", description: "Sleeps", timeout_ms: 5 },
				},
				context.signal,
			],
		]);
		expect(context.recorded).toEqual([]);
	});
});

describe("the process group", () => {
	it("is recorded while it runs and forgotten when it is gone", async () => {
		await bash({ command: "true" });
		expect(context.recorded).toHaveLength(1);
		await until(() => context.groups.size === 0);
	});

	it("is ended at once when it cannot be recorded", async () => {
		let group = 0;
		const add = (pid: number) => {
			group = pid;
			throw new Error("the ledger is full");
		};
		const processes = { ...context.processes, add };
		const result = await bash({ command: "sleep 600" }, { ...context, processes });
		expect(result).toEqual(failed("Error: no more processes can be started now (the ledger is full)"));
		await until(async () => !(await isGroupAlive(group)));
	});

	it("does not hold up the result when a grandchild keeps the output open", async () => {
		expect(await bash({ command: "sleep 600 & echo started" })).toEqual(
			ok("started\n(a process it started is still running; it ends with this agent)"),
		);
		expect(context.groups.size).toBe(1);
		expect(await isGroupAlive(context.recorded[0] ?? 0)).toBe(true);
	});

	it("is still known when a grandchild lives on without the output", async () => {
		expect(await bash({ command: "sleep 600 >/dev/null 2>&1 & echo started" })).toEqual(
			ok("started\n(a process it started is still running; it ends with this agent)"),
		);
		expect(context.groups.size).toBe(1);
	});

	it("does not block a grandchild that goes on printing", async () => {
		const done = join(context.root, "done");
		await bash({ command: `(sleep 0.2; head -c 500000 /dev/zero; touch ${done}) & echo started` });
		await until(() =>
			access(done).then(
				() => true,
				() => false,
			),
		);
	});
});

describe("an abort", () => {
	it("ends the command and all it started, and keeps what was printed", async () => {
		const running = bash({ command: "echo before; sleep 600 & sleep 600" });
		await until(() => context.recorded.length === 1);
		await until(() => context.touches.count > 0);
		context.controller.abort();
		expect(await running).toEqual(failed("Error: Interrupted\nbefore"));
		await until(async () => !(await isGroupAlive(context.recorded[0] ?? 0)));
	});

	it("ends a command that ignores being asked to end", async () => {
		const clock = createFakeClock();
		const running = bash({ command: "trap '' TERM; echo before; while :; do sleep 600; done" }, { ...context, clock });
		await until(() => context.touches.count > 0);
		context.controller.abort();
		await settle(clock, running);
		expect(await running).toMatchObject({ isError: true });
		await until(async () => !(await isGroupAlive(context.recorded[0] ?? 0)));
	});

	it("starts nothing when it came before the call", async () => {
		context.controller.abort();
		expect(await bash({ command: "touch x" })).toEqual(failed("Error: Interrupted"));
		expect(context.recorded).toEqual([]);
	});
});

describe("a timeout", () => {
	it("ends the command after 120 seconds and shows what it printed", async () => {
		const clock = createFakeClock();
		const running = bash({ command: "echo before; sleep 600" }, { ...context, clock });
		await until(() => context.touches.count > 0);
		await clock.advance(120_000);
		await settle(clock, running);
		expect(await running).toEqual(failed("Error: Timeout (120s)\nbefore"));
		await until(async () => !(await isGroupAlive(context.recorded[0] ?? 0)));
	});

	it("takes the time of the call", async () => {
		expect(await bash({ command: "sleep 600", timeout_ms: 20 })).toEqual(failed("Error: Timeout (0.02s)"));
	});

	it("lets the command say its last words", async () => {
		const clock = createFakeClock();
		const command = "trap 'echo bye; exit' TERM; echo hi; while :; do sleep 0.01; done";
		const running = bash({ command, timeout_ms: 1_500 }, { ...context, clock });
		await until(() => context.touches.count > 0);
		await clock.advance(1_500);
		// The time stands still: only the answer to the signal ends it.
		await until(async () => !(await isGroupAlive(context.recorded[0] ?? 0)));
		await settle(clock, running);
		expect((await running).content).toMatch(/^Error: Timeout \(1\.5s\)\nhi\n(?:.*\n)*bye$/);
	});

	it("does not wait for what left the group", async () => {
		const clock = createFakeClock();
		const running = bash({ command: "setsid sleep 3 & echo started; wait", timeout_ms: 200 }, { ...context, clock });
		await until(() => context.touches.count > 0);
		await settle(clock, running);
		expect(await running).toEqual(failed("Error: Timeout (0.2s)\nstarted"));
	});

	it("shows meanwhile that the call is alive", async () => {
		const clock = createFakeClock();
		const running = bash({ command: "sleep 600" }, { ...context, clock });
		await until(() => context.recorded.length === 1);
		await until(() => clock.pending() >= 2);
		await clock.advance(90_000);
		expect(context.touches.count).toBe(3);
		context.controller.abort();
		await settle(clock, running);
	});
});

/** Moves the time on in small steps until the call has settled. */
async function settle(clock: ReturnType<typeof createFakeClock>, running: Promise<unknown>): Promise<void> {
	let settled = false;
	void running.then(() => {
		settled = true;
	});
	while (!settled) {
		await clock.advance(10);
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}
