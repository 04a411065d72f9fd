import { describe, expect, it } from "vitest";
import { createReplyBuilder, type StreamEvent } from "../../src/model/reply-builder.ts";

function build(events: readonly StreamEvent[]) {
	const builder = createReplyBuilder({ onText: () => {}, onUsage: () => {} });
	for (const event of events) builder.accept(event);
	return builder;
}

const toolStart = (fields: Record<string, unknown>) => ({
	type: "content_block_start",
	index: 0,
	content_block: { type: "tool_use", id: "t", name: "bash", ...fields },
});
const json = (partial_json: string) => ({
	type: "content_block_delta",
	index: 0,
	delta: { type: "input_json_delta", partial_json },
});

describe("createReplyBuilder", () => {
	it("is complete only once the stream says so", () => {
		expect(build([{ type: "message_start" }, { type: "message_delta" }]).complete).toBe(false);
		expect(build([{ type: "message_stop" }]).complete).toBe(true);
	});

	it.each([
		["no pieces", [], {}],
		["pieces", ['{"a', '":1}'], { a: 1 }],
		["a list", ["[1]"], { __invalid_json: "[1]" }],
		["a bare null", ["null"], { __invalid_json: "null" }],
		["half an object", ['{"a":'], { __invalid_json: '{"a":' }],
	])("gives tool input of %s", (_, pieces, input) => {
		const { content } = build([toolStart({ input: {} }), ...pieces.map(json)]).finish();
		expect(content).toEqual([{ type: "tool_use", id: "t", name: "bash", input }]);
	});

	it("cuts what it shows of broken input", () => {
		const { content } = build([toolStart({}), json(`{"a":"${"x".repeat(5_000)}`)]).finish();
		const [block] = content as { input: { __invalid_json: string } }[];
		expect(block?.input.__invalid_json.length).toBe(2_000);
	});

	it("takes input that a server sends whole with the block", () => {
		const { content } = build([toolStart({ input: { path: "a" } })]).finish();
		expect(content).toMatchObject([{ input: { path: "a" } }]);
	});

	it("passes over unknown events and blocks, and survives fields of the wrong kind", () => {
		const { content, stopReason } = build([
			{ type: "brand_new" },
			{ type: 7 },
			{},
			{ type: "content_block_start", index: 0, content_block: { type: "server_tool_use", id: "s" } },
			{ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: 3 } },
			{ type: "content_block_delta", index: "x", delta: { type: "text_delta", text: null } },
			{ type: "content_block_delta", index: 4, delta: { type: "text_delta", text: "no start" } },
			{ type: "message_delta", delta: { stop_reason: "invented" }, usage: { output_tokens: -3 } },
		]).finish();
		expect(content).toEqual([{ type: "text", text: "no start" }]);
		expect(stopReason).toBe("end_turn");
	});

	it("makes an id for a tool call without one", () => {
		const { content, stopReason } = build([toolStart({ id: undefined })]).finish();
		expect(content).toMatchObject([{ id: expect.stringMatching(/^toolu_[0-9a-f-]{36}$/) }]);
		expect(stopReason).toBe("tool_use");
	});

	it("orders blocks by index", () => {
		const text = (index: number, word: string) => ({
			type: "content_block_delta",
			index,
			delta: { type: "text_delta", text: word },
		});
		expect(build([text(2, "c"), text(0, "a"), text(2, "C")]).finish().content).toEqual([
			{ type: "text", text: "a" },
			{ type: "text", text: "cC" },
		]);
	});

	it("takes the last count of each kind, and no null for a count", () => {
		const { usage } = build([
			{
				type: "message_start",
				message: {
					usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: null },
				},
			},
			{ type: "message_delta", usage: { input_tokens: null, output_tokens: 9, cache_creation_input_tokens: 6 } },
		]).finish();
		expect(usage).toEqual({ inputTokens: 10, outputTokens: 9, cacheReadTokens: 4, cacheWriteTokens: 6 });
	});
});
