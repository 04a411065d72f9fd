import { expect, it, vi } from "vitest";
import type { ToolContext } from "../../src/tools/definition.ts";
import { createHostTool } from "../../src/tools/host-tool.ts";
import { call, createTestContext } from "./support.ts";

it("runs the host's tool on main and returns its answer", async () => {
	const ask = vi.fn(async () => ({ content: "42", isError: true }));
	const context = await createTestContext({ ask: ask as unknown as ToolContext["ask"] });
	const tool = createHostTool({ name: "look_up", readOnly: true });
	expect(tool).toMatchObject({ name: "look_up", readOnly: true });
	expect(await call(tool, { id: 1 }, context)).toEqual({ content: "42", isError: true });
	expect(ask.mock.calls).toEqual([
		["call-host-tool", { toolName: "look_up", toolUseId: "toolu_1", input: { id: 1 } }, context.signal],
	]);
});

it("passes a failure of the request on", async () => {
	const context = await createTestContext({ ask: () => Promise.reject(new Error("the thread is gone")) });
	const result = await call(createHostTool({ name: "look_up", readOnly: false }), {}, context);
	expect(result).toEqual({ content: "the thread is gone", isError: true });
});
