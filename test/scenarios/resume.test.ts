import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { type CliRun, runCli, startCli } from "../support/cli.ts";
import { isAlive, say, temporaryFolder, until } from "../support/supervisor.ts";

const KEY = "sk-ant-test-0123456789";
type Options = Parameters<typeof startFakeAnthropicServer>[0];

async function startServer(options: Options) {
	const server = await startFakeAnthropicServer({ apiKey: KEY, ...options });
	onTestFinished(() => server.close());
	return { server, env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY } };
}

const textsOf = (messages: unknown) =>
	[...JSON.stringify(messages).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text ?? "");
const answer = (stdout: string) => JSON.parse(stdout) as { session_id: string; result: string; is_error: boolean };
const asJson = ["--output-format", "json"];

describe("A conversation that is gone on with", () => {
	it("comes back with -c, with -r and as a copy, each under its own session id", async () => {
		const { server, env } = await startServer({ handler: () => say("noted") });
		const cwd = await temporaryFolder();
		const run = (...args: string[]) => runCli(["-p", ...args, ...asJson], { cwd, env });
		const lastTexts = () => textsOf(server.requests.at(-1)?.body.messages);

		const first = answer((await run("my number is 7")).stdout);
		const second = answer((await run("-c", "which number?")).stdout);
		expect(second.session_id).toBe(first.session_id);
		expect(lastTexts()).toEqual(["my number is 7", "noted", "which number?"]);

		const copy = answer(
			(await run("-r", first.session_id, "--fork-session", "--session-id", "copy-1", "and now?")).stdout,
		);
		expect(copy.session_id).toBe("copy-1");
		expect(lastTexts()).toEqual(["my number is 7", "noted", "which number?", "noted", "and now?"]);

		const third = answer((await run("-r", first.session_id.slice(0, -2), "still?")).stdout);
		expect(third.session_id).toBe(first.session_id);
		expect(lastTexts()).toEqual(["my number is 7", "noted", "which number?", "noted", "still?"]);

		expect(await run("--session-id", "copy-1", "again")).toMatchObject({
			code: 2,
			stderr: "clowder: The session id 'copy-1' is taken. Go on with that session (resume), or choose another id\n",
		});
	});

	it("is refused with one line where there is none", async () => {
		const cwd = await temporaryFolder();
		const run = (...args: string[]) => runCli(["-p", ...args], { cwd, env: { ANTHROPIC_API_KEY: KEY } });
		expect(await run("-c", "hi")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^clowder: There is no conversation in .* to go on with\. [^\n]*\n$/),
		});
		expect(await run("-r", "nope", "hi")).toMatchObject({
			code: 1,
			stderr: "clowder: No session of this project has the id 'nope'. `/resume` lists them\n",
		});
		expect(await run("-c", "-r", "nope", "hi")).toMatchObject({ code: 2 });
		expect(await run("--fork-session", "hi")).toMatchObject({ code: 2 });
	});
});

const working = {
	text: "I start both.",
	toolUses: [
		{ name: "bash", input: { command: "echo $$ > job.pid; sleep 600", run_in_background: true } },
		{ name: "task", input: { description: "sub", prompt: "SUBWORK", agent_type: "explore" } },
	],
};

/** What the lead and its subagent say, by what their histories hold. */
function reply(messages: unknown) {
	const all = JSON.stringify(messages);
	if (all.includes("SUBWORK") && !all.includes("START")) {
		return all.includes("tool_result") ? say("SUBDONE") : { toolUses: [{ name: "glob", input: { pattern: "*" } }] };
	}
	if (all.includes("GO ON")) return say("I am back.");
	return all.includes("Job started") ? say("Both are on their way.") : working;
}

/** Notifications in a history, by the id of what they tell of. */
function notifications(messages: unknown): Record<string, string[]> {
	const found: Record<string, string[]> = {};
	for (const text of textsOf(messages).filter((each) => each.startsWith("<task-notification>"))) {
		const [, id = ""] = /<task-id>(.*?)<\/task-id>/.exec(text) ?? [];
		const [, status = ""] = /<status>(.*?)<\/status>/.exec(text) ?? [];
		found[id] = [...(found[id] ?? []), status];
	}
	return found;
}

describe("A CLI that is killed in the middle of a conversation", () => {
	it.each([1, 2, 3, 4, 5])(
		"goes on without anything missing or doubled when SIGKILL comes with model call %i",
		async (moment) => {
			const cwd = await temporaryFolder();
			let cli: CliRun | undefined;
			let calls = 0;
			const { server, env } = await startServer({
				handler: ({ body }) => {
					calls += 1;
					if (calls === moment) cli?.child.kill("SIGKILL");
					return reply(body.messages);
				},
			});
			const flags = [...asJson, "--permission-mode", "bypassPermissions"];
			cli = startCli(["-p", "START", ...flags], { cwd, env });
			expect(["SIGKILL", 0]).toContain(await cli.ended);
			const pid = Number(await readFile(join(cwd, "job.pid"), "utf8").catch(() => "0"));

			const { stdout, stderr, code } = await runCli(["-p", "-c", "GO ON", ...flags], { cwd, env });
			expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
			const result = JSON.parse(stdout) as { result: string; runs: { id: string; status: string; reason: string }[] };
			expect(result.result).toBe("I am back.");
			if (pid > 0) await until(async () => !(await isAlive(pid)));

			const { messages } = server.requests.at(-1)?.body ?? {};
			const texts = textsOf(messages);
			expect(texts.filter((text) => text === "START")).toHaveLength(1);
			expect(texts.filter((text) => text === "GO ON")).toHaveLength(1);
			const told = notifications(messages);
			for (const statuses of Object.values(told)) expect(statuses).toHaveLength(1);
			for (const { id, status, reason } of result.runs) {
				expect(told[id]).toEqual([status]);
				if (status === "FAILED") expect(reason).toBe("interrupted");
			}
			const jobs = [...new Set(JSON.stringify(messages).match(/job_[0-9A-Za-z_-]+/g) ?? [])].filter((id) => id in told);
			if (JSON.stringify(messages).includes("Job started")) expect(jobs.map((id) => told[id])).toEqual([["killed"]]);
			expect(await readdir(join(cwd, ".clowder"))).toContain("projects");
		},
	);
});
