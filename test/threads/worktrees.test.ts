import { existsSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import type { Script, ScriptedReply } from "../../src/wire/model-config.ts";
import { call, fixture, isAlive, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";
import { git, leftIn, makeRepository } from "../worktrees/setup.ts";

/** A supervisor in a repository, its state where it is by default: in a folder that is our own. */
async function openRepository(agents: Script["agents"], more: SupervisorOptions = {}) {
	const cwd = more.cwd ?? (await makeRepository());
	const stateDir = more.stateDir ?? join(await realpath(await temporaryFolder()), ".clowder", "projects", "p");
	const opened = await startSupervisor(agents, { ...more, cwd, stateDir });
	return { ...opened, cwd, stateDir, worktreesIn: () => readdir(join(stateDir, "worktrees")).catch(() => []) };
}

const write = (path: string, content: string) => call("write_file", { path, content });

/** The lead's last answer, and everything its history got. */
async function talk(opened: Awaited<ReturnType<typeof openRepository>>) {
	const lead = await opened.supervisor.startLead();
	const history: string[] = [];
	lead.on((event) => void (event.type === "history" && history.push(...event.messagesJson)));
	await lead.prompt("go");
	return { lead, history };
}

describe("Eight agents with worktrees of their own", () => {
	it("write 25 files each at the same time, each file where it belongs", async () => {
		const names = Array.from({ length: 8 }, (_, index) => `agent ${index}`);
		const turn = (name: string, at: number): ScriptedReply => ({
			toolUses: Array.from({ length: 5 }, (_, index) => ({
				name: "write_file",
				input: { path: `out/${at * 5 + index}.txt`, content: `${name} ${at * 5 + index}\n` },
			})),
		});
		const script = (name: string) => [0, 1, 2, 3, 4].map((at) => turn(name, at)).concat(say("done"));
		const { supervisor, cwd, worktreesIn } = await openRepository(
			Object.fromEntries(names.map((name) => [name, script(name)])),
			{ maxConcurrent: 8, permissions: { mode: "acceptEdits" } },
		);
		const runs = names.map((name) => supervisor.spawn({ description: name, prompt: "go", isolation: "worktree" }));
		const results = await Promise.all(runs.map((run) => run.result()));
		const folders = new Set<string>();
		for (const [index, { status, record }] of results.entries()) {
			expect(status).toBe("COMPLETED");
			const { path = "", branch = "" } = record.worktree ?? {};
			expect(branch).toMatch(new RegExp(`^clowder/agent-${index}-[0-9a-f]{8}$`));
			folders.add(path);
			const files = (await readdir(join(path, "out"))).sort();
			expect(files).toEqual(Array.from({ length: 25 }, (_, at) => `${at}.txt`).sort());
			for (const file of files) {
				expect(await readFile(join(path, "out", file), "utf8")).toBe(`agent ${index} ${file.slice(0, -4)}\n`);
			}
			expect(await git(path, "status", "--porcelain")).toBe("?? out/");
		}
		expect(folders.size).toBe(8);
		expect(await worktreesIn()).toHaveLength(8);
		expect(await readdir(cwd)).toEqual([".git", "a.txt"]);
		expect(await git(cwd, "status", "--porcelain")).toBe("");
		expect(supervisor.denials()).toEqual([]);
	});
});

describe("A worktree at the end of its run", () => {
	it("is gone with its branch when nothing was changed", async () => {
		const { supervisor, cwd, worktreesIn } = await openRepository({
			"*": [call("bash", { command: "ls" }), say("ok")],
		});
		const { record } = await supervisor.spawn({ description: "look", prompt: "go", isolation: "worktree" }).result();
		expect(record.worktree).toBeUndefined();
		expect(await worktreesIn()).toEqual([]);
		expect(await leftIn(cwd)).toEqual([]);
	});

	it.each(["cancelled", "crashed", "exited"] as const)("is kept when it was changed and the run is %s", async (how) => {
		const last = { cancelled: "hang", crashed: "throw_later", exited: "exit" }[how];
		const { supervisor, cwd } = await openRepository(
			{ "*": [write("b.txt", "b\n"), call("bash", { command: "sleep 600 & echo $! > pid" }), call(last)] },
			{ tools: [{ module: fixture("misbehave.mjs") }], limits: { graceMs: 300 } },
		);
		const run = supervisor.spawn({ description: "work", prompt: "go", isolation: "worktree" });
		if (how === "cancelled") {
			await until(() => run.usage.toolCalls === 3);
			await run.cancel("enough");
		}
		const { reason, record } = await run.result();
		expect(reason).toBe(how);
		expect(await readFile(join(record.worktree?.path ?? "", "b.txt"), "utf8")).toBe("b\n");
		expect(await isAlive(Number(await readFile(join(record.worktree?.path ?? "", "pid"), "utf8")))).toBe(false);
		expect(supervisor.runs().find(({ id }) => id === run.id)?.worktree).toEqual(record.worktree);
		expect(await git(cwd, "status", "--porcelain")).toBe("");
	});

	it("waits for a background job that runs in it, and is gone with the session", async () => {
		const { supervisor, cwd, close } = await openRepository({
			"*": [call("bash", { command: "pwd; sleep 600", run_in_background: true }), say("started")],
		});
		const { record } = await supervisor.spawn({ description: "serve", prompt: "go", isolation: "worktree" }).result();
		expect(supervisor.jobs.list()).toMatchObject([{ status: "running", cwd: record.worktree?.path }]);
		expect(existsSync(record.worktree?.path ?? "")).toBe(true);
		await close();
		expect(await leftIn(cwd)).toEqual([]);
	});

	it("is cleaned up when the run is cancelled before its thread has started", async () => {
		const { supervisor, cwd } = await openRepository({ "*": [say("never")] });
		const run = supervisor.spawn({ description: "early", prompt: "go", isolation: "worktree" });
		await run.cancel();
		expect(await run.result()).toMatchObject({ status: "FAILED", reason: "cancelled" });
		expect(await leftIn(cwd)).toEqual([]);
	});
});

describe("A lead that isolates its subagents", () => {
	it("is told of what was kept, in the foreground and in the background", async () => {
		const opened = await openRepository({
			lead: [
				call("task", { description: "front", prompt: "go", isolation: "worktree", run_in_background: false }),
				call("task", { description: "idle", prompt: "go", isolation: "worktree", run_in_background: false }),
				call("task", { description: "back", prompt: "go", isolation: "worktree" }),
				say("waiting"),
				say("all done"),
			],
			front: [write("b.txt", "b\n"), say("front is done")],
			idle: [say("nothing to do")],
			back: [write("b.txt", "b\n"), say("back is done")],
		});
		const { lead, history } = await talk(opened);
		await lead.settled();
		const kept = Object.fromEntries(opened.supervisor.runs().map((run) => [run.name, run.worktree]));
		expect(kept).toMatchObject({ front: { branch: expect.any(String) }, back: { branch: expect.any(String) } });
		expect(kept.idle).toBeUndefined();
		const told = history.join("\n").replaceAll("\\n", "\n");
		expect(told).toContain(`front is done\n\nWorktree kept: ${kept.front?.path} (branch ${kept.front?.branch})`);
		expect(told).toContain(`back is done\n\nWorktree kept: ${kept.back?.path} (branch ${kept.back?.branch})`);
		expect(told.match(/Worktree kept/g)).toHaveLength(2);
	});

	it("is refused with the reason where there can be no worktree", async () => {
		const isolated = (isolation: string) => call("task", { description: "x", prompt: "go", isolation });
		const opened = await openRepository(
			{ lead: [isolated("container"), isolated("worktree"), say("too bad")] },
			{ cwd: await temporaryFolder() },
		);
		const { history } = await talk(opened);
		expect(history[2]).toContain("Error: There is no isolation 'container'. Use worktree, or leave it out");
		expect(history[4]).toContain("is not in a git repository. Make it one (git init, and a first commit)");
		expect(opened.supervisor.runs().map(({ kind }) => kind)).toEqual(["lead"]);
	});

	it("has an agent type isolated when its definition says so, and the agents below it work where it does", async () => {
		const opened = await openRepository(
			{
				lead: [
					call("task", { description: "outer", prompt: "go", agent_type: "apart", run_in_background: false }),
					say("ok"),
				],
				outer: [
					write("outer.txt", ""),
					call("task", { description: "inner", prompt: "go", run_in_background: false }),
					say("done"),
				],
				inner: [write("inner.txt", ""), say("done")],
			},
			{ maxDepth: 2, agents: [{ name: "apart", description: "works apart", prompt: "Work.", isolation: "worktree" }] },
		);
		await talk(opened);
		const [path] = await opened.worktreesIn();
		expect(await readdir(join(opened.stateDir, "worktrees", path ?? ""))).toEqual([
			".git",
			"a.txt",
			"inner.txt",
			"outer.txt",
		]);
		expect(opened.supervisor.runs().filter(({ worktree }) => worktree)).toMatchObject([{ name: "outer" }]);
	});
});

describe("A teammate with a worktree", () => {
	it("has the same one after a crash, and leaves it when it shut down only if it was changed", async () => {
		const opened = await openRepository(
			{
				ada: [write("b.txt", ""), call("exit"), write("c.txt", ""), say("done"), say("done")],
				bob: [say("ready"), say("ready")],
			},
			{ tools: [{ module: fixture("misbehave.mjs") }], team: { restart: { type: "transient" } } },
		);
		const { supervisor, stateDir, worktreesIn, warnings } = opened;
		const rests = (name: string) =>
			until(() => supervisor.team.list().some((mate) => mate.name === name && mate.status === "IDLE"));
		const wanted = { role: "a helper", prompt: "begin", isolation: "worktree" } as const;
		await supervisor.team.spawn({ name: "ada", ...wanted });
		await until(() => supervisor.runs().some(({ status }) => status === "FAILED"));
		await rests("ada");
		await supervisor.team.send("ada", "go on");
		await until(async () => (await supervisor.team.log("ada")).some((json) => json.includes('"done"')));
		const [folder = ""] = await worktreesIn();
		const files = await readdir(join(stateDir, "worktrees", folder));
		expect(files).toEqual([".git", "a.txt", "b.txt", "c.txt"]);
		await supervisor.team.spawn({ name: "bob", ...wanted });
		await rests("bob");
		expect(await worktreesIn()).toHaveLength(2);
		await supervisor.team.stop("bob");
		expect(await worktreesIn()).toEqual([folder]);
		await supervisor.team.stop("ada");
		const path = join(stateDir, "worktrees", folder);
		expect(warnings).toContain(`Worktree kept: ${path} (branch clowder/${folder}), of the teammate ada`);
	});

	it("is refused where there can be none", async () => {
		const { supervisor } = await openRepository({}, { cwd: await temporaryFolder() });
		const wanted = { name: "ada", role: "a helper", prompt: "begin", isolation: "worktree" } as const;
		await expect(supervisor.team.spawn(wanted)).rejects.toMatchObject({ code: "ERR_NO_REPOSITORY" });
		expect(supervisor.team.list()).toEqual([]);
	});
});

describe("A spawned run that cannot get its worktree", () => {
	it("fails as never started, with the reason", async () => {
		const { supervisor } = await openRepository({ "*": [say("never")] }, { cwd: await temporaryFolder() });
		const result = await supervisor.spawn({ description: "x", prompt: "go", isolation: "worktree" }).result();
		expect(result).toMatchObject({ status: "FAILED", reason: "never-started" });
		expect(result.error).toContain("is not in a git repository");
		const unknown = { description: "x", prompt: "go", isolation: "container" as "worktree" };
		expect(() => supervisor.spawn(unknown)).toThrow(`spawn: 'isolation' must be "worktree", not "container"`);
	});
});

describe("An isolated agent", () => {
	it("is told its own folder, works in it with every tool, and is kept out of the session's", async () => {
		const cwd = await makeRepository({ "a.txt": "a\n", "sub/b.txt": "needle\n" });
		const log = join(await temporaryFolder(), "payloads");
		const server = await startFakeAnthropicServer({
			script: [
				call("bash", {
					command: 'pwd > where.txt; echo "$GIT_DIR" >> where.txt; git rev-parse --show-prefix >> where.txt',
				}),
				call("grep", { pattern: "needle", output_mode: "files_with_matches" }),
				write(join(cwd, "sub", "stolen.txt"), "x"),
				write("../../../sub/stolen.txt", "x"),
				call("bash", { command: `echo x > ${cwd}/sub/stolen.txt` }),
				write("mine.txt", "x"),
				say("done"),
			],
		});
		onTestFinished(() => server.close());
		const hook = { matcher: "", hooks: [{ type: "command", command: `cat >> ${log}; echo >> ${log}` }] };
		const { supervisor, stateDir } = await openRepository(
			{},
			{
				cwd: join(cwd, "sub"),
				model: { provider: "anthropic", model: "claude-test", baseUrl: server.url, apiKey: "none" },
				env: { PATH: process.env.PATH, HOME: "/nonexistent", GIT_DIR: "/nowhere" },
				permissions: { mode: "acceptEdits", allow: ["Bash(pwd)", "Bash(echo *)", "Bash(git rev-parse *)"] },
				project: { files: "trusted", settings: JSON.stringify({ hooks: { PreToolUse: [hook] } }) },
			},
		);
		const { record } = await supervisor.spawn({ description: "apart", prompt: "go", isolation: "worktree" }).result();
		const folder = join(record.worktree?.path ?? "", "sub");
		expect(folder.startsWith(stateDir)).toBe(true);
		expect(JSON.stringify(server.requests[0]?.body.system)).toContain(`Working folder: ${folder}\\n`);
		expect(await readFile(join(folder, "where.txt"), "utf8")).toBe(`${folder}\n\nsub/\n`);
		const resultOf = (index: number) => JSON.stringify(server.requests[index]?.body.messages.at(-1));
		expect(resultOf(2)).toContain("b.txt");
		expect(resultOf(3)).toContain("Permission denied");
		expect(resultOf(4)).toContain("Permission denied");
		expect(resultOf(5)).toContain("Permission denied");
		expect((await readdir(folder)).sort()).toEqual(["b.txt", "mine.txt", "where.txt"]);
		expect(await readdir(join(cwd, "sub"))).toEqual(["b.txt"]);
		const payloads = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
		expect(new Set(payloads.map((line) => (JSON.parse(line) as { cwd: string }).cwd))).toEqual(new Set([folder]));
	});

	it("cannot reach the session's folder with a file tool even where every call is allowed", async () => {
		const cwd = await makeRepository();
		const replies = [write(join(cwd, "stolen.txt"), "x"), call("read_file", { path: join(cwd, "a.txt") }), say("done")];
		const { supervisor } = await openRepository({ "*": replies }, { cwd });
		const run = supervisor.spawn({ description: "apart", prompt: "go", isolation: "worktree" });
		const history: string[] = [];
		for await (const event of run.events()) {
			if (event.type === "history") history.push(...event.messagesJson);
		}
		expect(history[2]).toContain("Error: path escapes workspace");
		expect(history[4]).toContain("Error: path escapes workspace");
		expect(existsSync(join(cwd, "stolen.txt"))).toBe(false);
	});
});
