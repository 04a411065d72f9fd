import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "../../src/permissions/modes.ts";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import type { ScriptedReply } from "../../src/wire/model-config.ts";
import { call, fixture, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

async function openProject(replies: readonly ScriptedReply[], more: SupervisorOptions = {}) {
	const cwd = await temporaryFolder();
	await mkdir(join(cwd, "secrets"));
	await writeFile(join(cwd, "secrets", "key.pem"), "needle\n");
	await writeFile(join(cwd, "open.txt"), "needle\n");
	const { supervisor } = await startSupervisor(
		{ "*": replies },
		{ cwd, stateDir: await temporaryFolder(), permissions: {}, ...more },
	);
	const written = () => readFile(join(cwd, "written.txt"), "utf8").catch(() => "");
	return { supervisor, cwd, written };
}

describe("Whom main believes", () => {
	it("asks about a module's tool that calls itself read-only, unless the program vouches for it", async () => {
		const { supervisor, written } = await openProject([call("peek"), call("look"), call("list_crons"), say("done")], {
			agents: [{ name: "small", description: "reads", prompt: "Read.", tools: ["read_file"] }],
			tools: [{ module: fixture("claims-read-only.mjs"), readOnly: ["look"] }],
		});
		await supervisor.spawn({ description: "a", prompt: "go", agentType: "small" }).result();
		expect(await written()).toBe("look\n");
		expect(supervisor.denials()).toMatchObject([{ tool_name: "peek" }, { tool_name: "list_crons" }]);
	});

	it.each(PERMISSION_MODES)("lets explore write with no tool of a module in the mode %s", async (mode) => {
		const replies = [
			call("peek"),
			call("list_crons"),
			call("bash", { command: "echo x > written.txt" }),
			call("bash", { command: "echo x > written.txt", run_in_background: true }),
			call("write_file", { path: "written.txt", content: "x" }),
			say("done"),
		];
		const { supervisor, written } = await openProject(replies, {
			tools: [{ module: fixture("claims-read-only.mjs") }],
			permissions: { mode, allow: ["Bash", "Edit", "peek", "list_crons"] },
		});
		const run = supervisor.spawn({ description: "a", prompt: "go", agentType: "explore" });
		expect(await run.result()).toMatchObject({ status: "COMPLETED" });
		expect(await written()).toBe("");
	});
});

describe("An answer that is to hold always", () => {
	it("is written beside the project's settings, and git is told to leave that file out", async () => {
		const { supervisor, cwd } = await openProject([call("bash", { command: "mkdir made" }), say("done")], {
			permissions: { onRequest: async () => "always" },
		});
		await promisify(execFile)("git", ["init", "-q"], { cwd });
		await (await supervisor.startLead()).prompt("go");
		const excluded = () => readFile(join(cwd, ".git", "info", "exclude"), "utf8").catch(() => "");
		await until(async () => (await excluded()).includes("**/.clowder/settings.local.json\n"));
		const settings = await readFile(join(cwd, ".clowder", "settings.local.json"), "utf8");
		expect(JSON.parse(settings)).toEqual({ permissions: { allow: ["Bash(mkdir made)"] } });
	});
});

describe("Rules that change while an agent lives", () => {
	it("hold for its very next call, also of a tool it did not have to ask about", async () => {
		const { supervisor } = await openProject([
			call("read_file", { path: "open.txt" }),
			say("one"),
			call("read_file", { path: "open.txt" }),
			say("two"),
			call("grep", { pattern: "needle" }),
			call("glob", { pattern: "**/*" }),
			say("three"),
			call("read_file", { path: "open.txt" }),
			say("four"),
		]);
		const lead = await supervisor.startLead();
		const previews: string[] = [];
		lead.on((event) => {
			if (event.type === "agent-event" && event.event.type === "tool-finished") previews.push(event.event.preview);
		});
		await lead.prompt("a");
		await supervisor.permissions.addRule("deny", "Read(open.txt)");
		await lead.prompt("b");
		expect(supervisor.permissions.removeRule("Read(open.txt)")).toBe(true);
		await supervisor.permissions.addRule("deny", "Read(secrets/**)");
		await lead.prompt("c");
		await lead.prompt("d");
		expect(previews).toEqual([
			"needle",
			"Permission denied: read_file of open.txt is denied by the rule Read(open.txt) in this session",
			"open.txt:1:needle",
			"open.txt",
			"needle",
		]);
	});
});
