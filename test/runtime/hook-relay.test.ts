import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createHookRelay, type HookRelayParts } from "../../src/runtime/hooks/hook-relay.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../support/supervisor.ts";

const run = { spec: { id: "task_1", kind: "subagent", name: "n", agentType: "explore" } } as unknown as LiveRun;
const { signal } = new AbortController();

async function setUp() {
	const folder = await temporaryFolder();
	const said = join(folder, "said.json");
	const hook = [{ matcher: "", hooks: [{ type: "command" as const, command: `cat > '${said}'` }] }];
	const relay = createHookRelay({
		project: { hooks: { SubagentStop: hook, SessionStart: hook, TaskCompleted: hook }, env: process.env },
		options: { cwd: folder, clock: createFakeClock(), onWarning: () => {} },
		sessionId: "s",
		transcriptPath: join(folder, "t.jsonl"),
		permissions: { mode: "default" },
		ownHooks: () => undefined,
		folderOf: () => ({ cwd: folder }),
	} as unknown as HookRelayParts);
	return { relay, heard: async () => JSON.parse(await readFile(said, "utf8")) as unknown };
}

it("tells hooks of the run that asks, whatever its thread says of itself", async () => {
	const { relay, heard } = await setUp();
	const payload = { runId: "task_2", agentType: "code", lastAssistantMessage: "done", stopHookActive: false };
	await relay.run(run, { event: "SubagentStop", payload }, signal);
	expect(await heard()).toMatchObject({ agent_id: "task_1", agent_type: "explore", last_assistant_message: "done" });
	await relay.run(run, { event: "SessionStart", payload: { source: "startup" } }, signal);
	expect(await heard()).toMatchObject({ hook_event_name: "SessionStart", source: "compact" });
});

it("refuses a thread the moments that main alone sees", async () => {
	const { relay } = await setUp();
	await expect(relay.run(run, { event: "TaskCompleted", payload: {} }, signal)).rejects.toThrow(
		"No agent fires 'TaskCompleted'",
	);
});
