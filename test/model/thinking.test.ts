import { describe, expect, it } from "vitest";
import { ClowderError } from "../../src/errors.ts";
import { hasThinking, isThinkingRefused, withoutThinking } from "../../src/model/thinking.ts";

const thinking = { type: "thinking", thinking: "hm", signature: "s" };
const line = (role: string, ...content: object[]) => JSON.stringify({ role, content });

describe("withoutThinking", () => {
	it("takes thinking and redacted thinking out, and leaves every other message byte for byte", () => {
		const untouched = '{ "role":"user" , "content":[{"type":"text","text":"about \\"thinking\\""}]}';
		const use = { type: "tool_use", id: "t", name: "glob", input: {} };
		const lines = [untouched, line("assistant", thinking, { type: "redacted_thinking", data: "x" }, use)];
		expect(withoutThinking(lines)).toEqual([untouched, line("assistant", use)]);
	});

	it("leaves no message empty", () => {
		expect(withoutThinking([line("assistant", thinking)])).toEqual([
			line("assistant", { type: "text", text: "(no visible reply)" }),
		]);
	});
});

describe("hasThinking", () => {
	it("tells blocks from words", () => {
		expect(hasThinking([line("assistant", thinking)])).toBe(true);
		expect(hasThinking([line("user", { type: "text", text: 'the "thinking" block' })])).toBe(false);
	});
});

describe("isThinkingRefused", () => {
	it.each([
		["ERR_MODEL_BAD_REQUEST", "messages.1.content.0: Invalid `signature` in `thinking` block.", true],
		["ERR_MODEL_BAD_REQUEST", "Expected `thinking` or `redacted_thinking`; these blocks cannot be modified", true],
		["ERR_MODEL_BAD_REQUEST", "max_tokens: too large", false],
		["ERR_MODEL_SERVER", "thinking block", false],
	] as const)("judges %s: %s", (code, message, expected) => {
		expect(isThinkingRefused(new ClowderError(code, message))).toBe(expected);
	});
});
