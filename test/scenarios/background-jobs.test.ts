import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { startCli } from "../support/cli.ts";
import { isAlive, say, temporaryFolder, until } from "../support/supervisor.ts";

const KEY = "sk-ant-test-0123456789";
const started = {
	toolUses: [
		{ name: "bash", input: { command: "sleep 600 & echo $! > child; echo $$ > job; wait", run_in_background: true } },
	],
};

/** A CLI whose lead has started a job and then answers after `delayMs`. */
async function startWithJob(delayMs: number) {
	const cwd = await temporaryFolder();
	const server = await startFakeAnthropicServer({
		apiKey: KEY,
		handler: ({ body }) =>
			JSON.stringify(body.messages).includes("Job started") ? say("It runs.", { delayMs }) : started,
	});
	onTestFinished(() => server.close());
	const cli = startCli(["-p", "serve", "--permission-mode", "bypassPermissions"], {
		cwd,
		env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
	});
	const read = (name: string) => readFile(join(cwd, name), "utf8").catch(() => "");
	let pids: number[] = [];
	await until(async () => {
		const texts = await Promise.all(["job", "child"].map(read));
		pids = texts.map(Number);
		return texts.every((text) => /^\d+\n$/.test(text));
	});
	return { cli, pids };
}

const allGone = (pids: readonly number[]) => async () => !(await Promise.all(pids.map(isAlive))).includes(true);

describe("A background job of clowder -p", () => {
	it("does not keep it alive: the job is ended with the answer, and stderr says so", async () => {
		const { cli, pids } = await startWithJob(0);
		expect(await cli.ended).toBe(0);
		expect(cli.stdout()).toBe("It runs.\n");
		expect(cli.stderr()).toMatch(/^clowder: the background job job_\S+ is ended with this run: sleep 600 [^\n]*\n$/);
		await until(allGone(pids));
	});

	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
	] as const)("ends with it on %s", async (signal, code) => {
		const { cli, pids } = await startWithJob(60_000);
		cli.child.kill(signal);
		expect(await cli.ended).toBe(code);
		await until(allGone(pids));
	});
});
