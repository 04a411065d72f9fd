import { describe, expect, it } from "vitest";
import { formatCost } from "../../src/cli/commands/cost.ts";
import { formatHealth } from "../../src/cli/commands/doctor.ts";
import { formatHooks } from "../../src/cli/commands/hooks.ts";
import { formatMemory } from "../../src/cli/commands/memory.ts";
import { runModel } from "../../src/cli/commands/model.ts";
import { PERMISSIONS_USAGE, runPermissions } from "../../src/cli/commands/permissions.ts";
import { ClowderError } from "../../src/errors.ts";
import type { PermissionMode } from "../../src/permissions/modes.ts";
import { parseRule } from "../../src/permissions/rules/parse-rule.ts";
import type { Rule } from "../../src/permissions/rules/rule.ts";
import type { RunRecord } from "../../src/wire/run.ts";
import { NO_TOTALS } from "../../src/wire/run-names.ts";

describe("/permissions", () => {
	function board() {
		let mode: PermissionMode = "default";
		const rules: Rule[] = [
			parseRule("Bash(rm *)", "deny", { scope: "project", label: ".claude/settings.json", root: "/p" }),
			parseRule("Read", "allow", { scope: "user", label: "~/.claude/settings.json", root: "/h" }),
		];
		const saved: string[] = [];
		return {
			saved,
			permissionMode: () => mode,
			permissions: {
				setMode: (next: PermissionMode) => {
					mode = next;
				},
				rules: () => rules,
				addRule: async (kind: Rule["kind"], text: string, { save = false } = {}) => {
					rules.push(parseRule(text, kind, { scope: "answer", label: "this session", root: "/p" }));
					if (save) saved.push(`${kind} ${text}`);
				},
				removeRule: (text: string) => {
					const at = rules.findIndex((rule) => rule.text === text && rule.source.scope === "answer");
					if (at >= 0) rules.splice(at, 1);
					return at >= 0;
				},
			},
		};
	}

	it("shows the mode, and the rules with where they come from", async () => {
		expect(await runPermissions("", board())).toEqual([
			"Mode: default (of default, acceptEdits, plan, dontAsk, bypassPermissions)",
			"Deny:",
			"  Bash(rm *)  .claude/settings.json",
			"Ask: none",
			"Allow:",
			"  Read  ~/.claude/settings.json",
			PERMISSIONS_USAGE,
		]);
	});

	it("changes the mode, and names the known ones for another", async () => {
		const one = board();
		expect(await runPermissions("mode plan", one)).toEqual(["Permission mode: plan"]);
		expect(one.permissionMode()).toBe("plan");
		expect(await runPermissions("mode wild", one)).toEqual([
			"Error: Permission mode 'wild' is not known. Use one of: default, acceptEdits, plan, dontAsk, bypassPermissions",
		]);
		expect(await runPermissions("mode", one)).toEqual(["Error: a mode is required", PERMISSIONS_USAGE]);
	});

	it("adds a rule for the session, or written down, and takes it back", async () => {
		const one = board();
		expect(await runPermissions("allow Bash(npm run test *)", one)).toEqual([
			"allow Bash(npm run test *): for this session",
		]);
		expect(await runPermissions("deny Read(.env) --save", one)).toEqual([
			"deny Read(.env): written to .clowder/settings.local.json",
		]);
		expect(one.saved).toEqual(["deny Read(.env)"]);
		expect(await runPermissions("remove Bash(npm run test *)", one)).toEqual(["Removed: Bash(npm run test *)"]);
		expect(await runPermissions("remove Bash(rm *)", one)).toEqual([
			"Bash(rm *) comes from .claude/settings.json; take it out there",
		]);
		expect(await runPermissions("remove Bash(x)", one)).toEqual(["There is no rule 'Bash(x)'."]);
	});

	it("says what is wrong with a rule or a subcommand", async () => {
		expect(await runPermissions("ask --save", board())).toEqual([
			"Error: a rule is required, e.g. Bash(npm test *)",
			PERMISSIONS_USAGE,
		]);
		expect(await runPermissions("allow Bash(", board())).toEqual([
			"Error: allow rule 'Bash(' in this session cannot be used: the closing parenthesis is missing. Correct it or take it out",
		]);
		expect(await runPermissions("grant x", board())).toEqual(["Unknown subcommand: grant", PERMISSIONS_USAGE]);
	});
});

describe("/hooks and /memory", () => {
	it("list what runs when, and where it is written", () => {
		expect(
			formatHooks([
				{ event: "PreToolUse", matcher: "Bash", command: "guard.py\n --strict", source: "/p/.claude/settings.json" },
				{ event: "PreToolUse", matcher: "", command: "log", source: "/p/.claude/agents/a.md", agentType: "a" },
				{ event: "Stop", matcher: "", command: "notify", source: "/h/.claude/settings.json" },
			]),
		).toEqual([
			"PreToolUse:",
			"  Bash  guard.py --strict  (/p/.claude/settings.json)",
			"  *  log  (/p/.claude/agents/a.md, agent a only)",
			"Stop:",
			"  *  notify  (/h/.claude/settings.json)",
		]);
		expect(formatHooks([])).toEqual([
			"No hooks. They are written under hooks in .claude/settings.json or .clowder/settings.json.",
		]);
	});

	it("list the instruction files with their sizes", () => {
		expect(
			formatMemory([
				{ path: "/p/CLAUDE.md", chars: 4_000 },
				{ path: "/p/docs/style.md", chars: 1_002, importedBy: "/p/CLAUDE.md" },
			]),
		).toEqual([
			"Instruction files, the last one nearest (explore and plan agents go without):",
			"  /p/CLAUDE.md      4,000 characters, about 1,000 tokens",
			"  /p/docs/style.md  1,002 characters, about 251 tokens, imported by /p/CLAUDE.md",
			"  Together          5,002 characters, about 1,251 tokens",
		]);
		expect(formatMemory([])).toEqual(["No instruction files. CLAUDE.md or AGENTS.md in this folder would be read."]);
	});
});

describe("/model", () => {
	it("shows and changes the model", () => {
		let model = "claude-a";
		const lead = {
			get model() {
				return model;
			},
			useModel: (name: string) => {
				if (name === "offline") throw new ClowderError("ERR_BAD_OPTION", "no", { remedy: "Start anew" });
				model = name;
				return model;
			},
		};
		expect(runModel("", lead)).toBe("Model: claude-a. /model NAME changes it (sonnet, opus, haiku, or a full id).");
		expect(runModel("claude-b", lead)).toBe("Model: claude-b, from the next prompt on (before: claude-a).");
		expect(runModel("claude-b", lead)).toBe("Model: claude-b, as before.");
		expect(runModel("offline", lead)).toBe("Error: no. Start anew");
	});
});

describe("/cost", () => {
	const record = (id: string, parentId: string | undefined, turns: number, more: Partial<RunRecord> = {}) =>
		({
			id,
			...(parentId === undefined ? {} : { parentId }),
			kind: parentId === undefined ? "lead" : "subagent",
			name: "lead",
			description: `look at ${id}`,
			agentType: "explore",
			usage: { ...NO_TOTALS, turns, inputTokens: turns * 1_000, outputTokens: turns, costUsd: turns / 100 },
			...more,
		}) as RunRecord;

	it("shows each agent, the trees of those that started others, and the total", () => {
		expect(
			formatCost([record("l", undefined, 2), record("a", "l", 3), record("b", "a", 1), record("c", "l", 4)]),
		).toEqual([
			"  lead                     2 turns, 2,002 tokens, $0.0200, $0.1000 with its subagents",
			"    look at a (explore)    3 turns, 3,003 tokens, $0.0300, $0.0400 with its subagent",
			"      look at b (explore)  1 turn, 1,001 tokens, $0.0100",
			"    look at c (explore)    4 turns, 4,004 tokens, $0.0400",
			"  Total                    10 turns, 10,010 tokens, $0.1000",
		]);
	});

	it("says so when there is nothing, and stays short when there is much", () => {
		expect(formatCost([])).toEqual(["Nothing was used so far."]);
		const many = [record("l", undefined, 1), ...Array.from({ length: 40 }, (_, at) => record(`r${at}`, "l", 1))];
		expect(formatCost(many)).toHaveLength(32);
		expect(formatCost(many).at(-2)).toBe("  … and 11 more");
	});
});

describe("/doctor", () => {
	it("shows each check, and how many need attention", () => {
		expect(
			formatHealth([
				{ name: "Node.js", ok: true, detail: "22.0.0" },
				{ name: "git", ok: false, detail: "not found\ninstall it" },
			]),
		).toEqual([
			"  ok   Node.js  22.0.0",
			"  FAIL git      not found\n                install it",
			"1 of 2 need attention.",
		]);
		expect(formatHealth([{ name: "a", ok: true, detail: "b" }]).at(-1)).toBe("All is well.");
	});
});
