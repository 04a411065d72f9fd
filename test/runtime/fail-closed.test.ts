import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SourcedRules } from "../../src/config/settings.ts";
import type { ClowderError } from "../../src/errors.ts";
import type { RuleLists } from "../../src/permissions/rules/parse-rule.ts";
import { loadProject, type ProjectOptions } from "../../src/runtime/project.ts";
import { readRules } from "../../src/runtime/read-rules.ts";
import { makeTree } from "../config/make-tree.ts";

async function load(files: Record<string, string>, project: ProjectOptions = { files: "trusted" }) {
	const root = await makeTree({ "home/": "", "repo/.git/": "", ...files });
	const short = (text: string) => text.replaceAll(`${root}/`, "");
	const loading = loadProject({ cwd: join(root, "repo"), homeDir: join(root, "home"), env: {}, project });
	return loading.then(
		({ faults }) => ({ faults: faults.map(short) }),
		({ code, message }: ClowderError) => ({ code, message: short(message) }),
	);
}

const BROKEN = '{"permissions": {"deny": ["Read(.env)"]';
const REMEDY =
	"Correct the file or take it away: what it forbids is not known, so nothing runs (--no-project-settings leaves a project's own files out)";

describe("A settings file whose deny rules may be lost", () => {
	it.each(["repo/.claude/settings.json", "repo/.clowder/settings.local.json", "home/.claude/settings.json"])(
		"stops everything when it is no JSON: %s",
		async (path) => {
			expect(await load({ [path]: BROKEN })).toEqual({
				code: "ERR_FILE",
				message: expect.stringMatching(new RegExp(`^${path}:1: it is no JSON .*Correct the file`)),
			});
		},
	);

	it("stops everything in a folder that is not trusted, too, but not where the project's files are left out", async () => {
		const files = { "repo/.claude/settings.json": BROKEN };
		expect(await load(files, { files: "untrusted" })).toMatchObject({ code: "ERR_FILE" });
		expect(await load(files, { files: "excluded" })).toEqual({ faults: [] });
	});

	it("stops everything when it cannot be read", async () => {
		expect(await load({ "repo/.claude/settings.json/": "" })).toEqual({
			code: "ERR_FILE",
			message: `repo/.claude/settings.json: it is not a regular file. ${REMEDY}`,
		});
	});

	it.each([
		[{ permissions: ["Read(.env)"] }, "permissions must be an object"],
		[{ permissions: { deny: "Read(.env)" } }, "permissions.deny must be a list of texts"],
		[{ permissions: { ask: [{ tool: "Bash" }] } }, "permissions.ask[0] must be text"],
	])("stops everything for %j", async (settings, reason) => {
		expect(await load({ "repo/.claude/settings.json": JSON.stringify(settings) })).toEqual({
			code: "ERR_FILE",
			message: `repo/.claude/settings.json: ${reason}. ${REMEDY}`,
		});
	});

	it("is only told of where it could permit or start something", async () => {
		const settings = { permissions: { allow: "Bash" }, model: 3, hooks: { Nonsense: [] } };
		expect(await load({ "repo/.claude/settings.json": JSON.stringify(settings) })).toMatchObject({
			faults: expect.arrayContaining(["repo/.claude/settings.json: permissions.allow must be a list of texts"]),
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
	function read(lists: RuleLists, scope: SourcedRules["source"]["scope"] = "project") {
		const warnings: string[] = [];
		const options = { cwd: "/p", permissions: {}, onWarning: (text: string) => void warnings.push(text) };
		const rules = readRules(options, { rules: [{ source: { scope, label: "S.json", root: "/p" }, lists }] });
		return { rules: rules.map(({ kind, text }) => `${kind} ${text}`), warnings };
	}

	it.each(["deny", "ask"] as const)("stops everything when it is one of %s", (kind) => {
		const message = `The ${kind} rule 'Bash(rm *' in S.json cannot be read: the closing parenthesis is missing. Correct it or take it out; nothing runs while something that was forbidden might be allowed`;
		expect(() => read({ [kind]: ["Read", "Bash(rm *"] })).toThrow(
			expect.objectContaining({ code: "ERR_FILE", message }),
		);
		expect(() => read({ [kind]: ["Bash(rm *"] }, "flag")).toThrow(expect.objectContaining({ code: "ERR_BAD_OPTION" }));
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
