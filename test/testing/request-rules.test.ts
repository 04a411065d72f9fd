import { describe, expect, it } from "vitest";
import { findRequestFault } from "../../src/testing/request-rules.ts";

const text = (value: string) => ({ type: "text", text: value });
const use = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "glob", input });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });

const fault = (messages: unknown, over: object = {}, checkPairing = true) =>
	findRequestFault({ model: "m", max_tokens: 10, messages, ...over }, { checkPairing });

describe("findRequestFault", () => {
	it.each([
		["a plain question", [{ role: "user", content: "hi" }]],
		[
			"neighbours of one role",
			[user(text("a")), user(text("b")), assistant(text("c")), assistant(text("d")), user(text("e"))],
		],
		[
			"answered calls",
			[user(text("a")), assistant(text("b"), use("1"), use("2")), user(result("2"), result("1"), text("c"))],
		],
		[
			"results in two messages of the user",
			[user(text("a")), assistant(use("1"), use("2")), user(result("1")), user(result("2"))],
		],
		["a prefilled answer", [user(text("a")), assistant(text("b"))]],
	])("accepts %s", (_, messages) => {
		expect(fault(messages)).toBeUndefined();
	});

	it.each([
		["no messages", [], "messages: at least one message is required"],
		["an assistant first", [assistant(text("a"))], 'messages: first message must use the "user" role'],
		["another role", [{ role: "tool", content: "x" }], "messages.0.role: Input should be 'user' or 'assistant'"],
		["empty content", [user()], "messages.0: all messages must have non-empty content"],
		["an empty string", [{ role: "user", content: "" }], "messages.0: all messages must have non-empty content"],
		["empty text", [user(text(" "))], "messages.0.content.0: text content blocks must be non-empty"],
		[
			"input that is no object",
			[user(text("a")), assistant(use("1", "x")), user(result("1"))],
			"messages.1.content.0: tool_use.input: Input should be a valid dictionary",
		],
		[
			"a call of the user",
			[user(use("1"))],
			"messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
		],
	])("refuses %s", (_, messages, expected) => {
		expect(fault(messages)).toBe(expected);
	});

	it.each([
		[
			"a call without a result",
			[user(text("a")), assistant(use("1")), user(text("b"))],
			/messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: 1\./,
		],
		["a call at the end", [user(text("a")), assistant(use("1"))], /messages\.1: .*immediately after: 1\./],
		[
			"text before the results",
			[user(text("a")), assistant(use("1")), user(text("b"), result("1"))],
			/immediately after: 1\./,
		],
		[
			"one of two results missing",
			[user(text("a")), assistant(use("1"), use("2")), user(result("1"))],
			/immediately after: 2\./,
		],
		[
			"a result for nothing",
			[user(text("a")), assistant(text("b")), user(result("9"))],
			/messages\.2\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: 9/,
		],
		[
			"a result that comes too late",
			[user(text("a")), assistant(use("1")), user(result("1")), assistant(text("b")), user(result("1"))],
			/messages\.4\.content\.0: unexpected/,
		],
		[
			"two results for one call",
			[user(text("a")), assistant(use("1")), user(result("1"), result("1"))],
			/each tool_use must have a single result/,
		],
		[
			"one id twice",
			[user(text("a")), assistant(use("1")), user(result("1")), assistant(use("1")), user(result("1"))],
			/ids must be unique/,
		],
	])("refuses %s, unless pairing is not checked", (_, messages, expected) => {
		expect(fault(messages)).toMatch(expected);
		expect(fault(messages, {}, false)).toBeUndefined();
	});

	it.each([
		["no JSON", null, "The request body is not valid JSON"],
		["no model", { max_tokens: 1, messages: [] }, "model: Field required"],
		["no max_tokens", { model: "m", messages: [] }, "max_tokens: Field required"],
		["no messages field", { model: "m", max_tokens: 1 }, "messages: Field required"],
	])("refuses a body with %s", (_, body, expected) => {
		expect(findRequestFault(body, { checkPairing: true })).toBe(expected);
	});

	it("refuses tools that the API refuses, and more than four cache breakpoints", () => {
		const ask = [user(text("a"))];
		const marked = { ...text("a"), cache_control: { type: "ephemeral" } };
		expect(fault(ask, { tool_choice: { type: "none" } })).toBe(
			"tool_choice: may only be specified while providing tools",
		);
		expect(fault(ask, { tools: [{ name: "a" }, { name: "a" }] })).toBe("tools: Tool names must be unique.");
		expect(fault(ask, { tools: [{ name: "a b" }] })).toMatch(/^tools\.0\.custom\.name/);
		expect(fault([user(marked, marked, marked, marked)])).toBeUndefined();
		expect(fault([user(marked, marked, marked, marked)], { system: [marked] })).toMatch(/Found 5\./);
	});
});
