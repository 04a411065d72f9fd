import { describe, expect, it } from "vitest";
import { callTool, callTools, failWith, say, scriptedModel } from "../../src/testing/scripted-model.ts";

describe("scriptedModel", () => {
	it("takes replies by agent", () => {
		expect(scriptedModel({ lead: [say("hi", { delayMs: 5 })], "*": [callTool("glob", { a: 1 })] })).toEqual({
			provider: "scripted",
			script: {
				agents: {
					lead: [{ text: "hi", delayMs: 5 }],
					"*": [{ toolUses: [{ name: "glob", input: { a: 1 } }] }],
				},
			},
		});
	});

	it("takes a whole script", () => {
		const script = {
			agents: { lead: [callTools({ name: "a", input: {} }, { name: "b", input: {} })] },
			afterEnd: "repeat",
		} as const;
		expect(scriptedModel(script)).toEqual({ provider: "scripted", script });
	});

	it("takes a module by path or URL", () => {
		expect(scriptedModel({ module: "/tmp/a b.mjs" })).toEqual({
			provider: "scripted",
			module: "file:///tmp/a%20b.mjs",
		});
		expect(scriptedModel({ module: new URL("file:///x.mjs") })).toEqual({
			provider: "scripted",
			module: "file:///x.mjs",
		});
	});

	it("does not mistake an agent's name for a field of a script", () => {
		const agents = { agents: [say("a")], module: [failWith(500)] };
		expect(scriptedModel(agents)).toEqual({ provider: "scripted", script: { agents } });
	});
});
