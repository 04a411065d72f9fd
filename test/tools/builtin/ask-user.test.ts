import { expect, it, vi } from "vitest";
import { askUserTool } from "../../../src/tools/builtin/ask-user.ts";
import type { ToolContext } from "../../../src/tools/definition.ts";
import { call, createTestContext } from "../support.ts";

async function ask(input: unknown, answer: unknown) {
	const asked = vi.fn(async () => answer);
	const context = await createTestContext({ ask: asked as unknown as ToolContext["ask"] });
	return { result: await call(askUserTool, input, context), asked, context };
}

it("puts the question to the person and returns the answer", async () => {
	const { result, asked, context } = await ask(
		{ question: "Which one?", options: ["a", "b"], toolUseId: "toolu_1" },
		{ answer: "b" },
	);
	expect(result).toEqual({ content: "b", isError: false });
	expect(asked.mock.calls).toEqual([
		["ask-user", { question: "Which one?", options: ["a", "b"], toolUseId: "toolu_1" }, context.signal],
	]);
});

it("leaves options out where there are none", async () => {
	const { asked, context } = await ask({ question: "Why?", options: [] }, { answer: "because" });
	expect(asked.mock.calls).toEqual([["ask-user", { question: "Why?", toolUseId: "toolu_1" }, context.signal]]);
});

it("says at once that nobody can answer", async () => {
	const { result } = await ask({ question: "Why?" }, { unavailable: "this run has no person" });
	expect(result).toEqual({ content: "Error: nobody can answer questions here: this run has no person", isError: true });
});

it("names what is missing or wrong", async () => {
	expect((await ask({}, {})).result.content).toBe("Error: question is required");
	expect((await ask({ question: "a", options: "b" }, {})).result.content).toBe(
		"Error: options must be an array of strings",
	);
});
