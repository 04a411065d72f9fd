import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { say, temporaryFolder, until } from "../support/supervisor.ts";

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
	expect(supervisor.status().running).toBe(0);
});
