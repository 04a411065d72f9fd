import { describe, expect, it } from "vitest";
import { createToolFacts } from "../../src/runtime/agents/tool-facts.ts";

const facts = createToolFacts({
	readOnly: ["read_file", "lookup"],
	tools: [{ module: "/tools/a.js", readOnly: ["peek"] }, { module: "/tools/b.js" }],
});

describe("What main knows of a tool", () => {
	it("says of a tool it gave the agent what its own registry says", () => {
		expect(facts.readOnlyOf(["read_file", "write_file"], "read_file")).toBe(true);
		expect(facts.readOnlyOf(["read_file", "write_file"], "write_file")).toBe(false);
	});

	it("knows nothing of a module's tool unless the program has vouched for it", () => {
		expect(facts.readOnlyOf(["read_file"], "poke")).toBe("unknown");
		expect(facts.readOnlyOf(["read_file"], "peek")).toBe(true);
		expect(facts.declared).toEqual(["peek"]);
	});

	it("does not take a module's tool for one of its own that the agent was not given", () => {
		expect(facts.readOnlyOf(["bash"], "read_file")).toBe("unknown");
		expect(facts.readOnlyOf(["bash"], "lookup")).toBe("unknown");
	});
});
