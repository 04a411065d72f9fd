import { expect, test } from "vitest";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { ClowderError } from "../../src/errors.ts";
import { calls, fakeAgent, NEVER_ABORTS, requestFaults, says, tool } from "./fake-deps.ts";

const cut = (text: string) => says(text, { stopReason: "max_tokens" });
const echo = tool("echo", (input) => JSON.stringify(input));

test("asks once more with twice the room and does not keep the cut text", async () => {
	const agent = fakeAgent({ plays: [cut("The ans"), says("The answer is 4"), says("next")] });
	expect((await runPrompt(agent.deps, "2+2", NEVER_ABORTS)).finalText).toBe("The answer is 4");
	expect(agent.requests.map((request) => request.maxTokens)).toEqual([1_000, 2_000]);
	expect(agent.sent(1)).toEqual(agent.sent(0));
	expect(agent.conversation.messages).toHaveLength(2);
	await runPrompt(agent.deps, "and 3+3", NEVER_ABORTS);
	expect(agent.requests.at(-1)?.maxTokens).toBe(1_000);
});

test("continues a reply that is cut again, and returns all its pieces as one text", async () => {
	const agent = fakeAgent({ plays: [cut("x"), cut("one, "), cut("two, "), says("three")] });
	expect(await runPrompt(agent.deps, "count", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "one, two, three" });
	expect(agent.lastTexts(2)[0]).toContain("Go on exactly where it stopped");
	expect(requestFaults(agent)).toEqual([]);
});

test("gives up after three continuations, with the text there is", async () => {
	const agent = fakeAgent({ plays: [cut("x"), cut("a"), cut("b"), cut("c"), cut("d")] });
	expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({
		reason: "provider-error",
		finalText: "abcd",
		error: "The reply was cut off at the output limit 4 times in a row",
	});
});

test("keeps the cut text when the model cannot be asked for more", async () => {
	const refused = new ClowderError("ERR_MODEL_BAD_REQUEST", "max_tokens is too large");
	const agent = fakeAgent({ plays: [cut("one, "), refused, says("two")] });
	expect((await runPrompt(agent.deps, "count", NEVER_ABORTS)).finalText).toBe("one, two");
	expect(agent.requests.map((request) => request.maxTokens)).toEqual([1_000, 2_000, 1_000]);
});

test("does not ask for more than the ceiling", async () => {
	const agent = fakeAgent({ plays: [cut("one, "), says("two")], maxTokens: 64_000 });
	expect((await runPrompt(agent.deps, "count", NEVER_ABORTS)).finalText).toBe("one, two");
	expect(agent.requests.map((request) => request.maxTokens)).toEqual([64_000, 64_000]);
});

test("runs the whole calls of a cut reply and answers the incomplete one with an error", async () => {
	const cutCalls = {
		...calls(["a", "echo", { n: 1 }], ["b", "echo", { n: 2, te: "" }]),
		stopReason: "max_tokens" as const,
	};
	const agent = fakeAgent({ plays: [cut("x"), cutCalls, says("done")], tools: [echo] });
	expect((await runPrompt(agent.deps, "go", NEVER_ABORTS)).finalText).toBe("done");
	const [answers, calling] = [agent.sent(2).at(-1), agent.sent(2).at(-2)];
	expect(calling?.content.at(-1)).toEqual({ type: "tool_use", id: "b", name: "echo", input: {} });
	expect(answers?.content[0]).toEqual({ type: "tool_result", tool_use_id: "a", content: '{"n":1}' });
	expect(answers?.content[1]).toEqual({
		type: "tool_result",
		tool_use_id: "b",
		is_error: true,
		content:
			"Error: the call did not run: your reply reached the output limit inside it, so its input is incomplete. " +
			"Call the tool again with less in one call",
	});
});

test("goes on when a cut reply holds nothing that can be kept", async () => {
	const thought = { content: [{ type: "thinking", thinking: "hm", signature: "" }], stopReason: "max_tokens" } as const;
	const agent = fakeAgent({ plays: [thought, thought, says("short")] });
	expect((await runPrompt(agent.deps, "go", NEVER_ABORTS)).finalText).toBe("short");
	expect(requestFaults(agent)).toEqual([]);
});

test("voids the text that was shown when a reply is asked for again", async () => {
	const agent = fakeAgent({ plays: [cut("The ans"), says("The answer")] });
	await runPrompt(agent.deps, "go", NEVER_ABORTS);
	expect(agent.events.map((event) => event.type)).toEqual(["turn-started", "text-reset"]);
});
