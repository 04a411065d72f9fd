import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SourcedRules } from "../../src/config/settings.ts";
import type { ClowderError } from "../../src/errors.ts";
import type { RuleLists } from "../../src/permissions/rules/parse-rule.ts";
import { readRules } from "../../src/runtime/permissions/read-rules.ts";
import { loadProject, type ProjectOptions } from "../../src/runtime/project.ts";
import { makeTree } from "../config/make-tree.ts";

async function load(files: Record<string, string>, project: ProjectOptions = { files: "trusted" }) {
	const root = await makeTree({ "home/": "", "repo/.git/": "", ...files });
	const short = (text: string) => text.replaceAll(`${root}/`, "");
	const loading = loadProject({ cwd: join(root, "repo"), homeDir: join(root, "home"), env: {}, project });
	return loading.then(
		({ faults, doubtful, rules }) => ({
			faults: faults.map(short),
			doubtful: doubtful.map(short),
			rules: rules.flatMap(({ lists }) => lists.deny ?? []),
		}),
		({ code, message }: ClowderError) => ({ code, message: short(message) }),
	);
}

const BROKEN = '{"permissions": {"deny": ["Read(.env)"]';

describe("A settings file whose deny rules may be lost", () => {
	it.each(["repo/.claude/settings.json", "repo/.clowder/settings.local.json", "home/.claude/settings.json"])(
		"is told of and doubted when it is no JSON, and the rest still loads: %s",
		async (path) => {
			const good = path.startsWith("home") ? "repo/.claude/settings.json" : "home/.claude/settings.json";
			const files = { [path]: BROKEN, [good]: '{"permissions": {"deny": ["Bash(rm *)"]}}' };
			expect(await load(files)).toEqual({
				faults: [expect.stringMatching(new RegExp(`^${path}:1: it is no JSON`))],
				doubtful: [path],
				rules: ["Bash(rm *)"],
			});
		},
	);

	it("is doubted in a folder that is not trusted, too, but not where the project's files are left out", async () => {
		const files = { "repo/.claude/settings.json": BROKEN };
		expect(await load(files, { files: "untrusted" })).toMatchObject({ doubtful: ["repo/.claude/settings.json"] });
		expect(await load(files, { files: "excluded" })).toMatchObject({ faults: [], doubtful: [] });
	});

	it("is doubted when it cannot be read", async () => {
		expect(await load({ "repo/.claude/settings.json/": "" })).toMatchObject({
			faults: ["repo/.claude/settings.json: it is not a regular file"],
			doubtful: ["repo/.claude/settings.json"],
		});
	});

	it.each([
		[{ permissions: ["Read(.env)"] }, "permissions must be an object"],
		[{ permissions: { deny: "Read(.env)" } }, "permissions.deny must be a list of texts"],
		[{ permissions: { ask: [{ tool: "Bash" }] } }, "permissions.ask[0] must be text"],
	])("is doubted for %j", async (settings, reason) => {
		expect(await load({ "repo/.claude/settings.json": JSON.stringify(settings) })).toMatchObject({
			faults: [`repo/.claude/settings.json: ${reason}`],
			doubtful: ["repo/.claude/settings.json"],
		});
	});

	it("is only told of where it could permit or start something", async () => {
		const settings = { permissions: { allow: "Bash" }, model: 3, hooks: { Nonsense: [] } };
		expect(await load({ "repo/.claude/settings.json": JSON.stringify(settings) })).toMatchObject({
			faults: expect.arrayContaining(["repo/.claude/settings.json: permissions.allow must be a list of texts"]),
			doubtful: [],
		});
	});
});

describe("A flag that cannot be used", () => {
	it.each([
		[{ settings: "gone.json" }, /repo\/gone\.json: there is no such file/],
		[{ settings: "{oops" }, /it is no JSON/],
		[{ settings: '{"permissions":{"deny":7}}' }, /permissions\.deny must be a list of texts\. Correct it$/],
		[{ agents: "{bad" }, /^the option `project.agents`: it is no JSON/],
		[{ agents: "[]" }, "the option `project.agents`: it must be an object with one entry per agent. Correct it"],
	])("is bad usage: %j", async (flags, message) => {
		const refused = await load({}, { files: "trusted", ...flags });
		expect(refused).toEqual({
			code: "ERR_BAD_OPTION",
			message: typeof message === "string" ? message : expect.stringMatching(message),
		});
	});
});

describe("A rule of a settings file that cannot be read", () => {
	function read(
		lists: RuleLists,
		scope: SourcedRules["source"]["scope"] = "project",
		doubtful: readonly string[] = [],
	) {
		const warnings: string[] = [];
		const options = { cwd: "/p", permissions: {}, onWarning: (text: string) => void warnings.push(text) };
		const rules = readRules(options, { doubtful, rules: [{ source: { scope, label: "S.json", root: "/p" }, lists }] });
		return { rules: rules.map(({ kind, text }) => `${kind} ${text}`), warnings };
	}
	const ASKED = ["Bash", "Read", "Edit", "Write", "WebFetch", "Task", "mcp__*"].map((tool) => `ask ${tool}`);
	const WARNING = "Every call is asked about until S.json is corrected: what it forbids is not known";

	it.each(["deny", "ask"] as const)("has every call asked about when it is one of %s", (kind) => {
		expect(read({ [kind]: ["Read", "Bash(rm *"] })).toEqual({
			rules: [`${kind} Read`, ...ASKED],
			warnings: [`${kind} rule 'Bash(rm *' in S.json cannot be read: the closing parenthesis is missing`, WARNING],
		});
		expect(() => read({ [kind]: ["Bash(rm *"] }, "flag")).toThrow(expect.objectContaining({ code: "ERR_BAD_OPTION" }));
	});

	it("has every call asked about where its whole file is doubted", () => {
		expect(read({ allow: ["Bash"] }, "project", ["S.json"])).toEqual({
			rules: ["allow Bash", ...ASKED],
			warnings: [WARNING],
		});
	});

	it("holds for all of its tool where only the parentheses mean nothing here", () => {
		expect(read({ deny: ["WebSearch(x)", "Read(.env)"] })).toEqual({
			rules: ["deny Read(.env)", "deny WebSearch"],
			warnings: [
				"deny rule 'WebSearch(x)' in S.json: WebSearch takes nothing in parentheses, so it holds for every call of WebSearch",
			],
		});
	});

	it("is left out with a warning when it allows", () => {
		expect(read({ allow: ["Bash(ls", "WebSearch(x)", "Read"] })).toEqual({
			rules: ["allow Read"],
			warnings: [expect.stringContaining("'Bash(ls'"), expect.stringContaining("'WebSearch(x)'")],
		});
	});
});
