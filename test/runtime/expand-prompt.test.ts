import { expect, it } from "vitest";
import { createExpandPrompt, type ExpandPromptParts } from "../../src/runtime/typed/expand-prompt.ts";
import { createTypedCalls, type TypedCallsParts } from "../../src/runtime/typed/typed-calls.ts";
import type { HostCalls } from "../../src/supervision/host-calls.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";

it("tells that a command in a prompt took longer than a command may", async () => {
	const calls = createTypedCalls({
		permissions: { authorizeTyped: async () => ({ decision: "allow" }) },
		profileOf: () => ({ toolNames: ["bash"] }),
	} as unknown as TypedCallsParts);
	const command = {
		name: "wait",
		allowedTools: [],
		source: "project",
		path: "wait.md",
		expand: () => [{ kind: "command", text: "cat fifo" }],
	};
	const expand = createExpandPrompt({
		commands: [command],
		calls,
		cwd: "/",
		homeDir: "/",
	} as unknown as ExpandPromptParts);
	const content = "Error: Timeout (120s)\nfirst line";
	const hostCalls = { run: async () => ({ content, isError: true }) } as Pick<HostCalls, "run">;
	const run = { spec: { agentType: "general" }, hostCalls } as unknown as LiveRun;
	expect(await expand(run, "/wait", new AbortController().signal)).toEqual({
		kind: "prompt",
		text: content,
		notes: ["/wait: `cat fifo` was ended: Timeout (120s)"],
	});
});
