import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { call, fixture, say, startSupervisor } from "../support/supervisor.ts";

const limits = { unresponsiveMs: 5_000, graceMs: 500, heapMb: 64, wallMs: 30_000 };
const module = { module: fixture("hostile.mjs") };
const good = [call("keep_nothing"), say("fine")];
const bad = (tool: string) => ({ [`bad ${tool}`]: [call(tool), say("went on")] });

const spawn = (supervisor: Supervisor, description: string, more: object = {}) =>
	supervisor.spawn({ description, prompt: "go", ...more });

it.each([
	["post_poison", "crashed", /^Its thread sent a malformed message: object: /],
	["post_null", "crashed", /^Its thread sent a malformed message: object: /],
	["close_port", "crashed", "Its thread closed its connection to the main thread"],
	["flood", "crashed", "Its thread flooded the main thread with messages"],
	["flood_requests", "crashed", "Its thread flooded the main thread with messages"],
	["beg_ports", "crashed", "Its thread asked for too many connections to the model gateway"],
	["hoard_shared_memory", "out-of-memory", /^it used \d+ MB of memory, more than its 64 MB$/],
	["break_builtins", "crashed", /^The thread crashed: Error: patched map \(.*hostile\.mjs:\d+\)$/],
])("ends its own run alone when a tool module does this to its thread: %s", async (tool, reason, error) => {
	const { supervisor } = await startSupervisor({ ...bad(tool), good }, { tools: [module], limits, maxThreads: 3 });
	const siblings = [spawn(supervisor, "good"), spawn(supervisor, "good")];
	expect(await spawn(supervisor, `bad ${tool}`).result()).toMatchObject({
		status: "FAILED",
		reason,
		error: typeof error === "string" ? error : expect.stringMatching(error),
	});
	for (const run of [...siblings, spawn(supervisor, "good"), spawn(supervisor, "good")]) {
		expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "fine" });
	}
	expect(supervisor.status()).toMatchObject({ running: 0, queued: 0, lostThreads: 0 });
});

it("gives nobody else the thread in which a tool module was loaded", async () => {
	const options = { tools: [module], limits, maxThreads: 1, maxConcurrent: 1, warmThreads: 1 };
	const script = {
		"bad hijack_spawn": [call("hijack_spawn"), say("went on")],
		good: [call("bash", { command: "echo fine" }), call("keep_nothing"), say("fine")],
	};
	const { supervisor } = await startSupervisor(script, options);
	const threads = new Set<number | undefined>();
	const shown: string[] = [];
	for (const description of ["bad hijack_spawn", "good", "good"]) {
		const run = spawn(supervisor, description);
		for await (const event of run.events()) if (event.type === "history") shown.push(...event.messagesJson);
		expect((await run.result()).status).toBe("COMPLETED");
		threads.add(run.record.threadId);
	}
	expect(threads.size).toBe(3);
	expect(shown.join("\n")).not.toContain("HIJACKED");
	await expect.poll(() => supervisor.status()).toMatchObject({ threads: 0, lostThreads: 0 });
});

it("shows a tool module neither the report of the process nor the debugger of its main thread", async () => {
	const { supervisor } = await startSupervisor(
		{ looker: [call("look_at_main"), say("done")] },
		{ tools: [module], limits },
	);
	const shown: string[] = [];
	const run = spawn(supervisor, "looker");
	for await (const event of run.events()) if (event.type === "history") shown.push(...event.messagesJson);
	const refused = "A tool module may not debug the main thread";
	const text = shown.join("\n");
	expect(text).toContain("report: Cannot read properties of undefined (reading 'getReport')");
	for (const way of ["session", "promises", "binding", "spelled"]) expect(text).toContain(`${way}: ${refused}`);
	expect(text).toContain("util: object");
});

it("uses a thread again where no tool module is loaded", async () => {
	const options = { limits, maxThreads: 1, maxConcurrent: 1 };
	const { supervisor } = await startSupervisor({ good: [say("fine")] }, options);
	const threads = new Set<number | undefined>();
	for (let round = 0; round < 3; round += 1) {
		const run = spawn(supervisor, "good");
		await run.result();
		threads.add(run.record.threadId);
	}
	expect(threads.size).toBe(1);
});

it.each(["print_much", "say_much"])("hears an agent out that has too much to say: %s", async (tool) => {
	const { supervisor } = await startSupervisor(bad(tool), { tools: [module], limits });
	const lines: string[] = [];
	for await (const event of spawn(supervisor, `bad ${tool}`).events()) {
		if (event.type === "agent-event" && event.event.type === "log") lines.push(event.event.text);
		if (event.type === "ended") expect(event.record).toMatchObject({ status: "COMPLETED", finalText: "went on" });
	}
	expect(lines.length).toBeGreaterThan(0);
	expect(lines.length).toBeLessThan(2_000);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8_193);
});

it("keeps its own account of every run, whatever a tool module writes into the status board", async () => {
	const agents = { ...bad("write_board"), good: [call("keep_nothing", {}, { delayMs: 1_500 }), say("fine")] };
	const { supervisor } = await startSupervisor(agents, { tools: [module], limits: { ...limits, heapMb: 4_000 } });
	const sibling = spawn(supervisor, "good");
	const writer = spawn(supervisor, "bad write_board");
	expect(await writer.result()).toMatchObject({ status: "COMPLETED", reason: "done", finalText: "went on" });
	expect(await sibling.result()).toMatchObject({ status: "COMPLETED", usage: { turns: 2, toolCalls: 1 } });
	expect(supervisor.status()).toMatchObject({ running: 0, queued: 0 });
});

it("refuses what an agent's thread asks for by a tool that it has, without a call that was allowed", async () => {
	const { supervisor, folder } = await startSupervisor(
		{ asker: [call("ask_for_all"), say("done")], "*": [say("child")] },
		{ tools: [module], limits },
	);
	const results: string[] = [];
	const run = spawn(supervisor, "asker");
	for await (const event of run.events()) if (event.type === "history") results.push(...event.messagesJson);
	const text = results.join("\n");
	for (const name of ["bash", "schedule_cron"]) expect(text).toContain(`No call of '${name}' was allowed for this`);
	expect(existsSync(join(folder, "job"))).toBe(false);
});

it("acts on what was allowed and once, whatever the agent's thread asks for afterwards", async () => {
	const deployed: unknown[] = [];
	const deploy = defineTool({
		name: "deploy",
		description: "deploys",
		inputSchema: { type: "object", properties: { env: { type: "string" } } },
		execute: (input) => {
			deployed.push(input);
			return "deployed";
		},
	});
	const asked: unknown[] = [];
	const { supervisor, folder } = await startSupervisor(
		{ swapper: [call("swap_allowed"), say("done")], "*": [say("child")] },
		{
			tools: [module, deploy],
			maxDepth: 2,
			permissions: {
				mode: "default",
				allow: ["swap_allowed"],
				deny: ["Agent(code)"],
				onRequest: async ({ input }) => {
					asked.push(input);
					return "once";
				},
			},
			limits,
		},
	);
	await spawn(supervisor, "swapper").result();
	await expect.poll(() => existsSync(join(folder, "job"))).toBe(true);
	expect(asked).toEqual([{ env: "staging" }, { command: "touch job", run_in_background: true }]);
	expect(deployed).toEqual([{ env: "staging" }]);
	expect(existsSync(join(folder, "other"))).toBe(false);
	expect(supervisor.jobs.list().map(({ command, cwd }) => [command, cwd])).toEqual([["touch job", folder]]);
	expect((await supervisor.runs()).map(({ agentType }) => agentType).sort()).toEqual(["explore", "general"]);
});

it("refuses what an agent's thread asks by a tool that the agent was not given", async () => {
	const hostSecret = defineTool({
		name: "host_secret",
		description: "not for everybody",
		inputSchema: { type: "object", properties: {} },
		execute: () => "the secret",
	});
	const { supervisor, folder } = await startSupervisor(
		{ asker: [call("ask_for_all"), say("done")] },
		{
			tools: [module, hostSecret],
			agents: [{ name: "narrow", description: "reads", prompt: "Read.", tools: ["read_file"] }],
			askUser: async () => "yes",
			limits,
		},
	);
	const results: string[] = [];
	const run = spawn(supervisor, "asker", { agentType: "narrow" });
	for await (const event of run.events()) if (event.type === "history") results.push(...event.messagesJson);
	const text = results.join("\n");
	for (const name of ["task", "query_task", "ask_user", "host_secret", "bash", "create_task", "schedule_cron"]) {
		expect(text).toContain(`This agent was not given the tool '${name}'`);
	}
	expect(existsSync(join(folder, "job"))).toBe(false);
	expect(await supervisor.runs()).toHaveLength(1);
});
