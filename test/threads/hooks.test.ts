import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import type { FakeScript } from "../../src/testing/fake-reply.ts";
import { openTrusted } from "../support/project.ts";
import { call, say, temporaryFolder, until } from "../support/supervisor.ts";

// Appends what it is told to a file, and answers by the event.
const RECORDER = `
import { appendFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const told = JSON.parse(text);
appendFileSync(process.argv[2], text + "\\n");
const { hook_event_name: hookEventName } = told;
if (hookEventName === "SessionStart") console.log("context of " + told.source);
if (hookEventName === "SubagentStart") {
	console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: "be brief" } }));
}
if (/^Task/.test(hookEventName) && /forbidden/.test(told.task_subject)) {
	console.error("not this task");
	process.exit(2);
}
`;

const all = (command: string) => [{ hooks: [{ type: "command", command }] }];

async function openProject(
	script: FakeScript,
	more: Partial<SupervisorOptions> = {},
	files: Record<string, string> = {},
) {
	const cwd = await temporaryFolder();
	const record = `node ${join(cwd, "hook.mjs")} ${join(cwd, "told.jsonl")}`;
	const events = "SessionStart SessionEnd SubagentStart SubagentStop Notification TaskCreated TaskCompleted";
	const hooks = Object.fromEntries(events.split(" ").map((event) => [event, all(record)]));
	const tree = { "hook.mjs": RECORDER, ".claude/settings.json": JSON.stringify({ hooks }), ...files };
	const { supervisor, server } = await openTrusted(cwd, tree, script, more);
	const told = async (): Promise<Record<string, unknown>[]> => {
		const text = await readFile(join(cwd, "told.jsonl"), "utf8").catch(() => "");
		return text
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line) as Record<string, unknown>);
	};
	const messagesOf = (index: number) => JSON.stringify(server.requests[index]?.body.messages);
	return { supervisor, cwd, server, told, messagesOf };
}

describe("A person's hooks", () => {
	it("hear of a session's beginnings and ends, and speak to the agent that begins", async () => {
		const { supervisor, told, messagesOf } = await openProject([say("one"), say("two"), say("three")]);
		const lead = await supervisor.startLead();
		await lead.prompt("a");
		await lead.prompt("b");
		await lead.clear();
		await lead.prompt("c");
		await supervisor.close();
		expect((await told()).map(({ hook_event_name, source, reason }) => [hook_event_name, source ?? reason])).toEqual([
			["SessionStart", "startup"],
			["SessionEnd", "clear"],
			["SessionStart", "clear"],
			["SessionEnd", "other"],
		]);
		expect(messagesOf(0)).toContain("context of startup");
		expect(messagesOf(1)?.match(/context of startup/g)).toHaveLength(1);
		expect(messagesOf(2)).toContain("context of clear");
		expect(messagesOf(2)).not.toContain("context of startup");
	});

	it("hear of a subagent's start and end, and add to what it starts with", async () => {
		const { supervisor, told, messagesOf } = await openProject([say("found")]);
		const run = supervisor.spawn({ description: "look", prompt: "Look.", agentType: "explore" });
		expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "found" });
		expect(await told()).toMatchObject([
			{ hook_event_name: "SubagentStart", agent_id: run.id, agent_type: "explore", description: "look" },
			{ hook_event_name: "SubagentStop", agent_id: run.id, agent_type: "explore" },
		]);
		expect(messagesOf(0)).toContain("be brief");
	});

	it("hear that a person is needed", async () => {
		const { supervisor, told } = await openProject(
			[call("bash", { command: "touch a" }), call("ask_user", { question: "Which?" }), say("done")],
			{ permissions: { onRequest: async () => "once" }, askUser: async () => "this" },
		);
		const lead = await supervisor.startLead();
		await lead.prompt("go");
		const notes = async () => (await told()).filter(({ hook_event_name }) => hook_event_name === "Notification");
		await until(async () => (await notes()).length === 2);
		expect((await notes()).map((each) => `${each.notification_type}: ${each.message}`).sort()).toEqual([
			"elicitation_dialog: lead asks: Which?",
			"permission_prompt: Clowder needs your permission to use Bash",
		]);
	});

	it("keep tasks off the board and from being completed, the person's and the agents'", async () => {
		const { supervisor, told, messagesOf } = await openProject([
			call("create_task", { title: "forbidden thing" }),
			call("create_task", { title: "good thing" }),
			say("done"),
		]);
		await expect(supervisor.tasks.create({ title: "forbidden too" })).rejects.toMatchObject({
			code: "ERR_HOOK_BLOCKED",
			message: "the task was not created: not this task",
		});
		const lead = await supervisor.startLead();
		await lead.prompt("go");
		expect(messagesOf(1)).toContain("Error: the task was not created: not this task");
		expect(supervisor.tasks.list().map(({ title }) => title)).toEqual(["good thing"]);
		const [task] = supervisor.tasks.list();
		await supervisor.tasks.completeByHand(task?.id ?? "");
		expect((await told()).filter(({ hook_event_name }) => hook_event_name === "TaskCompleted")).toMatchObject([
			{ task_subject: "good thing" },
		]);
	});

	it("allow a call that nobody else would, with the input they put in its place", async () => {
		const hookSpecificOutput = {
			hookEventName: "PreToolUse",
			permissionDecision: "allow",
			updatedInput: { command: "touch made-by-hook", description: "makes a file", unknown: 1 },
		};
		const PreToolUse = [
			{
				matcher: "Bash",
				hooks: [{ type: "command", command: `printf '%s' '${JSON.stringify({ hookSpecificOutput })}'` }],
			},
		];
		const { supervisor, cwd, messagesOf } = await openProject(
			[call("bash", { command: "touch other" }), call("write_file", { path: "b", content: "x" }), say("done")],
			{},
			{ ".claude/settings.local.json": JSON.stringify({ hooks: { PreToolUse } }) },
		);
		await supervisor.spawn({ description: "a", prompt: "a" }).result();
		expect(await readFile(join(cwd, "made-by-hook"), "utf8")).toBe("");
		expect(messagesOf(2)).toContain("Permission denied: write_file of b");
		await expect(readFile(join(cwd, "other"))).rejects.toThrow("ENOENT");
	});

	it("of an agent's own file run for that agent alone, its Stop at its end as a subagent", async () => {
		const mine = "{ type: command, command: 'cat >> mine.jsonl' }";
		const guarded = [
			...["---", "name: guarded", "description: Guarded", "tools: Bash", "hooks:"],
			...["  PreToolUse:", "    - matcher: Bash", `      hooks: [${mine}]`],
			...["  Stop:", `    - hooks: [${mine}]`, "---", "Work."],
		].join("\n");
		const { supervisor, cwd } = await openProject(
			[call("bash", { command: "true" }), say("one"), call("bash", { command: "true" }), say("two")],
			{ permissions: { mode: "bypassPermissions" } },
			{ ".claude/agents/guarded.md": guarded },
		);
		await supervisor.spawn({ description: "a", prompt: "a", agentType: "guarded" }).result();
		await supervisor.spawn({ description: "b", prompt: "b", agentType: "general" }).result();
		const lines = (await readFile(join(cwd, "mine.jsonl"), "utf8")).replaceAll("}{", "}\n{").split("\n");
		expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
			{ hook_event_name: "PreToolUse", agent_type: "guarded" },
			{ hook_event_name: "SubagentStop", agent_type: "guarded" },
		]);
	});
});
