import { expect, test } from "vitest";
import { checkOutput } from "../../src/agent/check-output.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { fakeAgent, NEVER_ABORTS, says } from "./fake-deps.ts";

const outputSchemaJson = JSON.stringify({
	type: "object",
	properties: { files: { type: "array", items: { type: "string" } }, count: { type: "integer" } },
	required: ["files", "count"],
	additionalProperties: false,
});
const good = '{"files":["a.ts"],"count":1}';

test("returns JSON that satisfies the schema, without the fence around it", async () => {
	const agent = fakeAgent({ plays: [says(`\`\`\`json\n${good}\n\`\`\``)], kind: "subagent", outputSchemaJson });
	expect(await runPrompt(agent.deps, "list", NEVER_ABORTS)).toEqual({ reason: "done", finalText: good });
	expect(agent.lastTexts(0)[1]).toContain(`satisfies this JSON Schema:\n${outputSchemaJson}`);
});

test("tells the model once what is wrong", async () => {
	const agent = fakeAgent({ plays: [says('{"files":["a.ts",7]}'), says(good)], kind: "subagent", outputSchemaJson });
	expect(await runPrompt(agent.deps, "list", NEVER_ABORTS)).toEqual({ reason: "done", finalText: good });
	expect(agent.lastTexts()[0]).toContain('#/files/1: Instance type "number" is invalid. Expected "string".');
});

test("ends as empty-result, with the text, when the second try is wrong too", async () => {
	const agent = fakeAgent({ plays: [says("Two files."), says("Still two.")], kind: "subagent", outputSchemaJson });
	const outcome = await runPrompt(agent.deps, "list", NEVER_ABORTS);
	expect(outcome.reason).toBe("empty-result");
	expect(outcome.finalText).toBe("Still two.");
	expect(outcome.error).toMatch(/^The result does not satisfy the output schema:\nThe reply is not JSON/);
});

test("names a missing property and a property too many", async () => {
	expect(await checkOutput('{"files":[],"extra":1}', outputSchemaJson)).toEqual({
		kind: "invalid",
		errors: '#: Instance does not have required property "count".\n#/extra: is not allowed',
	});
});

test("does not ask the model again when the schema itself cannot be used", async () => {
	const agent = fakeAgent({ plays: [says("{}")], kind: "subagent", outputSchemaJson: "{" });
	const outcome = await runPrompt(agent.deps, "list", NEVER_ABORTS);
	expect(outcome.reason).toBe("empty-result");
	expect(outcome.error).toMatch(/^The output schema cannot be used/);
});
