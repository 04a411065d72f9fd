import { expect, it } from "vitest";
import { isClowderError } from "../../src/errors.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { findRequestFault } from "../../src/testing/request-rules.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

it.each([
	[{ script: () => [] }, "'script' must be an object, not a function"],
	[{ script: null }, "'script' must be an object, not null"],
	[{ script: [7] }, "'script[0]' must be an object, not 7"],
	[{ script: {} }, "'script.agents' must be an object of lists of replies, not absent"],
	[{ script: { agents: { lead: {} } } }, "'script.agents' must be an object of lists of replies, not an object"],
	[{ handler: {} }, "'handler' must be a function, not an object"],
	[{ models: "opus" }, "'models' must be a list, not \"opus\""],
	[{ clock: {} }, "'clock' must be a clock (createFakeClock makes one), not an object"],
	[{ scripts: [] }, "'scripts' is unknown. Did you mean 'script'?"],
	[null, "what it is given must be an object, not null"],
])("the fake server does not start with %j", async (options, text) => {
	await expect(startFakeAnthropicServer(options as never)).rejects.toMatchObject({
		code: "ERR_BAD_OPTION",
		message: `startFakeAnthropicServer: ${text}`,
	});
});

it.each([
	[null, "null"],
	[undefined, "absent"],
	["lead", '"lead"'],
	[[], "a list"],
])("a scripted model is not made of %j", (source, shown) => {
	expect(() => scriptedModel(source as never)).toThrow(
		`scriptedModel: what it is given must be an object, not ${shown}`,
	);
});

it("a fake clock goes only forward, by a number", async () => {
	const clock = createFakeClock();
	await expect(clock.advance(Number.NaN)).rejects.toThrow(
		"advance: what it is given must be a number, 0 or more, not NaN",
	);
	await expect(clock.advance(-1)).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
	expect(clock.monotonicMs()).toBe(0);
	expect(() => createFakeClock("now" as never)).toThrow(
		"createFakeClock: what it is given must be a number, 0 or more",
	);
});

const trap = new Proxy(
	{},
	{
		get: () => {
			throw new Error("a trap");
		},
		has: () => {
			throw new Error("a trap");
		},
	},
);

it.each([
	[undefined, "defineTool: what it is given must be an object, not absent"],
	[null, "defineTool: what it is given must be an object, not null"],
	[7, "defineTool: what it is given must be an object, not a number"],
	[trap, "defineTool: what it is given cannot be read: a trap"],
	[{ name: Object.create(null) }, /^defineTool: what it is given cannot be read: /],
])("makes no tool of what is none (%#)", (definition, message) => {
	expect(() => defineTool(definition as never)).toThrow(message);
});

it("finds no fault with options that are none, but says so", () => {
	expect(() => findRequestFault({}, undefined as never)).toThrow(
		"findRequestFault: what it is given must be an object, not absent",
	);
	expect(() => findRequestFault(trap, { checkPairing: true })).toThrow(
		"findRequestFault: what it is given cannot be read: a trap",
	);
	expect(isClowderError(trap)).toBe(false);
	expect(() => scriptedModel(trap as never)).toThrow("scriptedModel: what it is given cannot be read: a trap");
});
