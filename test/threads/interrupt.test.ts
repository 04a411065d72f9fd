import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { call, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

it("leaves a history that the server accepts when a person interrupts in the middle of parallel tool calls", async () => {
	const server = await startFakeAnthropicServer({
		script: [
			{
				toolUses: [
					{ name: "glob", input: { pattern: "*" } },
					{ name: "task", input: { description: "waits", prompt: "WAIT", run_in_background: false } },
					{ name: "grep", input: { pattern: "x" } },
					{ name: "bash", input: { command: "echo never" } },
				],
			},
			say("the child would say this", { delayMs: 600_000 }),
			say("going on"),
		],
	});
	onTestFinished(() => server.close());
	const cwd = await temporaryFolder();
	const supervisor = await createSupervisor({
		cwd,
		stateDir: join(cwd, ".state"),
		model: { provider: "anthropic", model: "claude-test", baseUrl: server.url, apiKey: "none" },
		permissions: { mode: "bypassPermissions" },
		warmThreads: 0,
	});
	onTestFinished(() => supervisor.close());
	const lead = await supervisor.startLead();
	const first = lead.prompt("start all four");
	// The child's request is on its way: its parent waits for it, in the middle of its calls.
	await until(() => server.requests.length === 2);
	lead.interrupt();
	expect(await first).toMatchObject({ reason: "interrupted" });
	expect(await lead.prompt("and now?")).toMatchObject({ reason: "done", finalText: "going on" });
	const messages = server.requests[2]?.body.messages ?? [];
	expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
	const blocks = (messages[2]?.content ?? []) as readonly { readonly type: string; readonly is_error?: boolean }[];
	const results = blocks.filter(({ type }) => type === "tool_result");
	expect(results.map(({ is_error }) => is_error ?? false)).toEqual([false, true, expect.any(Boolean), true]);
	await until(() => supervisor.status().running === 0);
});

it("stops one subagent by its id, tells the lead, and stops no lead that way", async () => {
	const { supervisor } = await startSupervisor({
		lead: [
			call("task", { description: "waits", prompt: "WAIT", agent_type: "explore" }),
			say("it works"),
			say("heard"),
		],
		explore: [say("never", { delayMs: 600_000 })],
	});
	const lead = await supervisor.startLead();
	expect(await lead.prompt("start one")).toMatchObject({ finalText: "it works" });
	const [child] = supervisor.status().runs.filter(({ kind }) => kind === "subagent");
	const id = child?.id ?? "";
	await until(() => supervisor.status().running === 1);
	expect(await supervisor.stop(id, "not needed")).toEqual({ stopped: [id] });
	expect(supervisor.runs().find((record) => record.id === id)).toMatchObject({
		status: "FAILED",
		reason: "cancelled",
		error: "not needed",
	});
	expect(await lead.settled()).toMatchObject({ finalText: "heard", woken: true });
	expect(await supervisor.stop(id)).toEqual({ stopped: [] });
	await expect(supervisor.stop(lead.runId)).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
	const said = await supervisor.conversation();
	expect(said.length).toBeGreaterThan(4);
	expect(await supervisor.conversation({ last: 1 })).toEqual([said.at(-1)]);
	expect(said.at(-1)).toContain("heard");
});
