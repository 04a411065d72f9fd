import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { startCli } from "../support/cli.ts";
import { call, isAlive, say, temporaryFolder, until } from "../support/supervisor.ts";

const KEY = "sk-ant-test-0123456789";

/** A CLI whose lead and one subagent each wait for a `sleep` that left its pid in a file. */
async function startSleepers() {
	const cwd = await temporaryFolder();
	const sleep = (file: string) =>
		call("bash", {
			command: `sh -c 'sleep 600 & echo $! > ${file}.child; wait' & echo $$ > ${file}; wait`,
			timeout_ms: 600_000,
		});
	const server = await startFakeAnthropicServer({
		apiKey: KEY,
		handler: ({ body }) => {
			const all = JSON.stringify(body.messages);
			if (all.includes("SLEEP-SUB") && !all.includes("start both")) return sleep("sub");
			if (!all.includes("tool_result")) return call("task", { description: "sleeper", prompt: "SLEEP-SUB" });
			if (all.includes("Task dispatched") && !all.includes("sleep 600")) return sleep("lead");
			return say("over");
		},
	});
	onTestFinished(() => server.close());
	const cli = startCli(["-p", "start both", "--permission-mode", "bypassPermissions"], {
		cwd,
		env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
	});
	const files = ["lead", "lead.child", "sub", "sub.child"].map((name) => join(cwd, name));
	const read = (file: string) => readFile(file, "utf8").catch(() => "");
	await until(async () => (await Promise.all(files.map(read))).every((text) => /^\d+\n$/.test(text)));
	const pids = (await Promise.all(files.map(read))).map(Number);
	return { cli, pids };
}

describe("A CLI that is told to stop", () => {
	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
	] as const)("takes every process of every bash call with it on %s", async (signal, exitCode) => {
		const { cli, pids } = await startSleepers();
		expect(await Promise.all(pids.map(isAlive))).toEqual([true, true, true, true]);
		cli.child.kill(signal);
		expect(await cli.ended).toBe(exitCode);
		await until(async () => !(await Promise.all(pids.map(isAlive))).includes(true));
		expect(cli.stderr()).not.toContain(KEY);
	});
});
