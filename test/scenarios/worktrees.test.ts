import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { runCli, startCli } from "../support/cli.ts";
import { call, say, temporaryFolder, until } from "../support/supervisor.ts";
import { git, makeRepository } from "../worktrees/setup.ts";

type Options = Parameters<typeof startFakeAnthropicServer>[0];
type Handler = NonNullable<NonNullable<Options>["handler"]>;

/** A lead that starts these isolated subagents, and what each of them does at its turns. */
function replies(subagents: Readonly<Record<string, readonly ReturnType<typeof say>[]>>): Handler {
	return ({ body }) => {
		const turn = body.messages.filter(({ role }) => role === "assistant").length;
		const first = JSON.stringify(body.messages[0]);
		const name = Object.keys(subagents).find((each) => first.includes(`you are ${each}`));
		if (name !== undefined) return subagents[name]?.[turn] ?? say("done");
		if (turn > 0 || !first.includes("start them")) return say("all done");
		const input = (each: string) => ({ description: each, prompt: `you are ${each}`, isolation: "worktree" });
		return {
			toolUses: Object.keys(subagents).map((each) => ({
				name: "task",
				input: { ...input(each), run_in_background: false },
			})),
		};
	};
}

async function openRepository(handler: Handler) {
	const server = await startFakeAnthropicServer({ handler });
	onTestFinished(() => server.close());
	const [cwd, home] = [await makeRepository(), await temporaryFolder()];
	const env = { HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-ant-test-0123456789" };
	const args = ["--permission-mode", "acceptEdits", "--output-format", "json"];
	const projects = join(home, ".clowder", "projects");
	const worktreesIn = async () => {
		const [project = ""] = await readdir(projects).catch(() => []);
		const folder = join(projects, project, "worktrees");
		return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
	};
	return { cwd, env, args, worktreesIn };
}

it("shows in the result of a run what was kept of its subagents' work", async () => {
	const write = call("write_file", { path: "b.txt", content: "b\n" });
	const { cwd, env, args, worktreesIn } = await openRepository(replies({ writer: [write], reader: [] }));
	const { stdout, code } = await runCli(["-p", "start them", ...args], { cwd, env });
	expect(code).toBe(0);
	const { runs } = JSON.parse(stdout) as {
		runs: { description: string; worktree?: { path: string; branch: string } }[];
	};
	const kept = Object.fromEntries(runs.map(({ description, worktree }) => [description, worktree]));
	expect(await worktreesIn()).toEqual([kept.writer?.path]);
	expect(kept.writer?.branch).toBe(`clowder/${basename(kept.writer?.path ?? "")}`);
	expect(kept.reader).toBeUndefined();
	expect(await git(cwd, "status", "--porcelain")).toBe("");
});

it("keeps what agents had changed when the program was killed, tells of it once, and removes the rest", async () => {
	const write = call("write_file", { path: "b.txt", content: "b\n" });
	const late = say("too late", { delayMs: 60_000 });
	const { cwd, env, args, worktreesIn } = await openRepository(replies({ writer: [write, late], reader: [late] }));
	const killed = startCli(["-p", "start them", ...args], { cwd, env });
	const changed = async () => {
		for (const path of await worktreesIn()) {
			if ((await readdir(path)).includes("b.txt")) return path;
		}
		return "";
	};
	await until(async () => (await changed()) !== "" && (await worktreesIn()).length === 2);
	const path = await changed();
	await until(async () => (await git(path, "status", "--porcelain")) === "?? b.txt");
	killed.child.kill("SIGKILL");
	await killed.ended;
	const line = `clowder: Worktree kept: ${path} (branch clowder/${basename(path)}), from an agent that was cut off\n`;
	const next = await runCli(["-p", "hello", ...args], { cwd, env });
	expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining(line) });
	expect(await worktreesIn()).toEqual([path]);
	expect(await git(cwd, "for-each-ref", "--format=%(refname:short)", "refs/heads/clowder")).toBe(
		`clowder/${basename(path)}`,
	);
	expect((await runCli(["-p", "hello", ...args], { cwd, env })).stderr).not.toContain("Worktree kept");
});
