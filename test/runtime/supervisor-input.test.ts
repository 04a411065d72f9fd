import { expect, test } from "vitest";
import { checkOptions } from "../../src/runtime/options/supervisor-input.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const ID_RULE = "an id of 1 to 128 letters, digits, '.', '_' and '-' that does not begin with a dot";

const refusals: readonly [unknown, string][] = [
	...["../../../escaped", "a/b", "..", ".hidden", "a\\b", "a b", "", "a\0"].map((sessionId): [unknown, string] => [
		{ sessionId },
		`createSupervisor: 'sessionId' must be ${ID_RULE}, not ${JSON.stringify(sessionId)}`,
	]),
	[{ sessionId: "x".repeat(1_000_000) }, `createSupervisor: 'sessionId' must be ${ID_RULE}, not "${"x".repeat(80)}…"`],
	[{ maxConcurent: 2 }, "createSupervisor: 'maxConcurent' is unknown. Did you mean 'maxConcurrent'?"],
	[{ limits: { turns: "x" } }, `createSupervisor: 'limits.turns' must be a whole number from 1 to 1000000, not "x"`],
	[{ limits: { wallMs: 0 } }, "createSupervisor: 'limits.wallMs' must be a number above 0, not 0"],
	[{ limits: { heapMb: -5 } }, "createSupervisor: 'limits.heapMb' must be a number above 0, not -5"],
	[
		{ limits: { nosuch: 3 } },
		"createSupervisor: 'limits.nosuch' is unknown. Known: turns, wallMs, heapMb, tokens, usd, idleMs, startMs, unresponsiveMs, graceMs",
	],
	[
		{ permissions: { mode: "foo" } },
		`createSupervisor: 'permissions.mode' must be one of "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", not "foo"`,
	],
	[
		{ permissions: { denied: ["Bash"] } },
		"createSupervisor: 'permissions.denied' is unknown. Known: mode, allow, ask, deny, onRequest",
	],
	[{ permissions: { deny: "Bash" } }, `createSupervisor: 'permissions.deny' must be a list, not "Bash"`],
	[
		{ agents: [{ name: "a" }] },
		"createSupervisor: 'agents[0].description' must be a text that is not empty, not absent",
	],
	[
		{ agents: [{ name: "a", description: "b", prompt: "", permissionMode: "pla" }] },
		`createSupervisor: 'agents[0].permissionMode' must be one of "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", not "pla"`,
	],
	[
		{ agents: [{ name: "a", description: "b", prompt: "", hooks: { PreTool: [] } }] },
		"createSupervisor: 'agents[0].hooks.PreTool' is unknown. Did you mean 'PreToolUse'?",
	],
	[{ tools: [{ name: "t" }] }, "createSupervisor: 'tools[0].description' must be a text that is not empty, not absent"],
	[
		{ tools: ["/srv/t.js"] },
		`createSupervisor: 'tools[0]' must be a tool made with defineTool, or { module: path or URL }, not "/srv/t.js"`,
	],
	[
		{ tools: [{ module: "/srv/t.js", readonly: ["a"] }] },
		"createSupervisor: 'tools[0].readonly' is unknown. Did you mean 'readOnly'?",
	],
	[{ tools: [{ module: 5 }] }, "createSupervisor: 'tools[0].module' must be a path or a URL, not 5"],
	[
		{ model: { provider: "openai" } },
		`createSupervisor: 'model.provider' must be one of "anthropic", "scripted", "offline", not "openai"`,
	],
	[
		{ model: { provider: "scripted", script: { agents: { "*": [{ txt: "x" }] } } } },
		"createSupervisor: 'model.script.agents.*[0].txt' is unknown. Did you mean 'text'?",
	],
	[{ askUser: true }, "createSupervisor: 'askUser' must be a function, not true"],
	[{ env: { A: 1 } }, "createSupervisor: 'env.A' must be a text, not 1"],
	[
		{ team: { restart: { type: "always" } } },
		`createSupervisor: 'team.restart.type' must be one of "transient", "temporary", not "always"`,
	],
	[{ cwd: null }, "createSupervisor: 'cwd' must be a text that is not empty, not null"],
	["/srv", `createSupervisor: what it is given must be an object, not "/srv"`],
];

test.each(refusals)("refuses %j with the field and what it must be", (options, message) => {
	expect(() => checkOptions(options)).toThrow(expect.objectContaining({ code: "ERR_BAD_OPTION", message }));
});

test("takes what the types allow, absent fields and objects of a program's own classes included", () => {
	class OwnTool {
		readonly name = "own";
		readonly description = "Does something";
		readonly inputSchema = { safeParse: (data: unknown) => ({ success: true, data }) };
		readonly readOnly = true;
		readonly extra = 1;
		execute() {
			return "done";
		}
	}
	checkOptions({});
	checkOptions({ model: undefined, stateDir: undefined, limits: {}, env: process.env });
	checkOptions({
		model: { provider: "scripted", script: { agents: { "*": [{ text: "hi" }] }, afterEnd: "repeat" } },
		limits: { turns: 1, graceMs: 0, wallMs: 0.5 },
		agents: [{ name: "a", description: "b", prompt: "", tools: [], hooks: { Stop: [] }, extra: { x: 1 } }],
		tools: [
			new OwnTool(),
			defineTool({ name: "t", description: "d", inputSchema: { type: "object" }, execute: () => "" }),
			{ module: new URL("file:///srv/t.js"), readOnly: ["a"] },
		],
		permissions: { mode: "plan", allow: ["Bash(ls *)"], onRequest: async () => "once" },
		project: { files: "trusted" },
	});
});
