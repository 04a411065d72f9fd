import { readdir, readFile, rename, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { runCli } from "../support/cli.ts";
import { say, temporaryFolder } from "../support/supervisor.ts";

/** A project with a conversation of two prompts. */
async function startProject() {
	const cwd = await temporaryFolder();
	const server = await startFakeAnthropicServer({ handler: () => say("noted") });
	onTestFinished(() => server.close());
	const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-ant-test" };
	const run = (...args: string[]) => runCli(["-p", ...args], { cwd, env });
	await run("one");
	await run("-c", "two");
	const projects = join(cwd, ".clowder", "projects");
	const [project = ""] = await readdir(projects);
	const stateDir = join(projects, project);
	const [session = ""] = await readdir(join(stateDir, "transcripts"));
	const texts = () =>
		[...JSON.stringify(server.requests.at(-1)?.body.messages).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
	return { run, texts, stateDir, transcript: join(stateDir, "transcripts", session, "lead.jsonl") };
}

describe("A project whose state is damaged", () => {
	it("goes on with a transcript that was cut in the middle of a line, and overwrites nothing of it", async () => {
		const { run, texts, transcript } = await startProject();
		await truncate(transcript, (await stat(transcript)).size - 30);
		const cut = await readFile(transcript, "utf8");
		expect(await run("-c", "three")).toMatchObject({ code: 0, stdout: "noted\n" });
		expect(texts()).toEqual(["one", "noted", "two", "three"]);
		expect((await readFile(transcript, "utf8")).startsWith(`${cut}\n`)).toBe(true);
		expect(await run("-c", "four")).toMatchObject({ code: 0, stdout: "noted\n" });
		expect(texts()).toEqual(["one", "noted", "two", "three", "noted", "four"]);
	});

	it("refuses a state file that was cut short with one line, leaves it as it is, and works when it is moved away", async () => {
		const { run, texts, stateDir, transcript } = await startProject();
		const file = join(stateDir, "db", "data.mdb");
		await truncate(file, 9_000);
		const cut = await readFile(file);
		const [conversation, files] = [await readFile(transcript), await readdir(stateDir)];
		expect(await run("-c", "three")).toEqual({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(
				/^clowder: The state file .*data\.mdb is damaged: the file is cut short\. Nothing was changed\. Restore [^\n]*\n$/,
			),
		});
		expect(await readFile(file)).toEqual(cut);
		expect(await readdir(stateDir)).toEqual(files);
		await rename(join(stateDir, "db"), join(stateDir, "db.damaged"));
		expect(await run("anew")).toMatchObject({ code: 0, stdout: "noted\n", stderr: "" });
		expect(texts()).toEqual(["anew"]);
		expect(await readFile(transcript)).toEqual(conversation);
	});
});
