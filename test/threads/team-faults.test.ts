import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/define-tool.ts";
import { openTrusted } from "../support/project.ts";
import { call, fixture, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

it("leaves nothing of a teammate that could not be spawned: no name, no claim, no record for the next process", async () => {
	const cwd = await temporaryFolder();
	const first = await startSupervisor({ "*": [say("ready")] }, { cwd });
	await first.supervisor.tasks.create({ title: "a task" });
	const wanted = { name: "ann", role: "helps", prompt: "begin", taskId: "t1", isolation: "worktree" as const };
	await expect(first.supervisor.team.spawn(wanted)).rejects.toMatchObject({ code: "ERR_NO_REPOSITORY" });
	expect(first.supervisor.team.list()).toEqual([]);
	expect(first.supervisor.tasks.get("t1")).toMatchObject({ status: "PENDING", attempt: 1 });
	await expect(first.supervisor.team.send("ann", "hello")).rejects.toMatchObject({ code: "ERR_UNKNOWN_TEAMMATE" });
	const { sessionId } = first.supervisor;
	await first.close();
	const second = await startSupervisor({ "*": [say("ready")] }, { cwd, resume: sessionId });
	expect(second.supervisor.team.list()).toEqual([]);
});

it("records a teammate as FAILED when it cannot be started again, tells the lead why, and lets the lead rest", async () => {
	const cwd = await temporaryFolder();
	const git = (...args: string[]) => execFileSync("git", args, { cwd, stdio: "ignore" });
	git("init");
	git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "first");
	const breaks = defineTool({
		name: "break_repository",
		description: "breaks it",
		inputSchema: z.object({}),
		execute: async () => {
			rmSync(join(cwd, ".git"), { recursive: true });
			return "broken";
		},
	});
	const { supervisor } = await startSupervisor(
		{
			lead: [say("hello"), say("heard of it")],
			ann: [call("break_repository"), call("exit"), say("never")],
		},
		{
			...{ cwd, tools: [breaks, { module: fixture("misbehave.mjs") }] },
			team: { restart: { type: "transient" } },
		},
	);
	const lead = await supervisor.startLead();
	await lead.prompt("hi");
	await supervisor.team.spawn({ name: "ann", role: "helps", prompt: "begin", isolation: "worktree" });
	expect(await lead.settled()).toMatchObject({ finalText: "heard of it" });
	expect(supervisor.team.list()).toMatchObject([{ name: "ann", status: "FAILED", reason: "exited" }]);
});

it("lets a teammate rest although a hook is never content, and says so", async () => {
	const cwd = await temporaryFolder();
	const hooks = { TeammateIdle: [{ hooks: [{ type: "command", command: "echo 'do more' >&2; exit 2" }] }] };
	const files = { ".claude/settings.json": JSON.stringify({ hooks }) };
	const script = Array.from({ length: 20 }, (_, n) => say(`round ${n + 1}`));
	const { supervisor, server, warnings } = await openTrusted(cwd, files, script);
	await supervisor.team.spawn({ name: "ann", role: "helps", prompt: "begin" });
	await until(() => warnings.length > 0);
	expect(warnings).toEqual(["A hook kept ann from its rest 8 times in a row"]);
	expect(server.requests).toHaveLength(9);
	expect(supervisor.team.list()).toMatchObject([{ name: "ann", status: "IDLE" }]);
});
