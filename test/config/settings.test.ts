import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../src/config/fault.ts";
import type { ProjectFiles } from "../../src/config/project-folders.ts";
import { loadSettings } from "../../src/config/settings.ts";
import { makeTree } from "./make-tree.ts";

async function load(
	files: Record<string, unknown>,
	options: { projectFiles?: ProjectFiles; settings?: string; sub?: string } = {},
) {
	const texts = Object.entries(files).map(([name, value]) => [
		name,
		typeof value === "string" ? value : JSON.stringify(value),
	]);
	const root = await makeTree({ "home/": "", "repo/.git/": "", "repo/sub/": "", ...Object.fromEntries(texts) });
	const { sub = "repo", ...rest } = options;
	const loaded = await loadSettings({
		cwd: join(root, sub),
		homeDir: join(root, "home"),
		projectFiles: "trusted",
		...rest,
	});
	const short = (text: string) => text.replaceAll(`${root}/`, "");
	return {
		...loaded,
		root,
		read: loaded.files.map(short),
		problems: loaded.faults.map((fault) => short(formatFault(fault))),
		waiting: loaded.withheld.map(short),
		short,
	};
}

const hook = (command: string) => ({ Stop: [{ hooks: [{ type: "command", command }] }] });

describe("loadSettings", () => {
	it("reads all files from the strongest to the weakest", async () => {
		const names = [
			"repo/.clowder/settings.local.json",
			"repo/.clowder/settings.json",
			"repo/.claude/settings.local.json",
			"repo/.claude/settings.json",
			"home/.clowder/settings.json",
			"home/.claude/settings.json",
		];
		const files = Object.fromEntries(
			names.map((name, index) => [name, { model: `m${index}`, env: { [`V${index}`]: index, ALL: name } }]),
		);
		const { settings, read, problems } = await load(files);
		expect(read).toEqual(names);
		expect(problems).toEqual([]);
		expect(settings.model).toBe("m0");
		expect(settings.env).toEqual({ V0: "0", V1: "1", V2: "2", V3: "3", V4: "4", V5: "5", ALL: names[0] });
	});

	it("lets --settings win, as a file and as text", async () => {
		const files = { "repo/.clowder/settings.local.json": { model: "file" }, "repo/my.json": { model: "flag" } };
		expect((await load(files, { settings: "my.json" })).settings.model).toBe("flag");
		expect((await load(files, { settings: ' {"model":"text"}' })).settings.model).toBe("text");
	});

	it("refuses given settings that are not there or no JSON: they may hold what is denied", async () => {
		await expect(load({}, { settings: "my.json" })).rejects.toMatchObject({
			code: "ERR_BAD_OPTION",
			message: expect.stringMatching(/^The settings cannot be used: .*repo\/my\.json: there is no such file\./),
		});
		await expect(load({ "repo/my.json": "[]" as never }, { settings: "my.json" })).rejects.toMatchObject({
			code: "ERR_BAD_OPTION",
		});
		await expect(load({}, { settings: "{oops" })).rejects.toMatchObject({
			code: "ERR_BAD_OPTION",
			message:
				"The settings cannot be used: the option `project.settings`:1: it is no JSON (column 2): found 'o' where a key in double quotes or } is expected. Give an existing file that holds a JSON object, or the object as text",
		});
	});

	it("joins rules with the file they came from", async () => {
		const { settings, short } = await load({
			"repo/.claude/settings.json": { permissions: { allow: ["Bash(ls *)"], deny: ["Read(.env)"] } },
			"home/.claude/settings.json": { permissions: { allow: ["Read"], ask: ["Bash(git push *)"] } },
		});
		expect(
			settings.permissions.rules.map(({ source, lists }) => [
				source.scope,
				short(source.label),
				short(`${source.root}/`),
				lists,
			]),
		).toEqual([
			["project", "repo/.claude/settings.json", "repo/", { allow: ["Bash(ls *)"], ask: [], deny: ["Read(.env)"] }],
			["user", "home/.claude/settings.json", "home/", { allow: ["Read"], ask: ["Bash(git push *)"], deny: [] }],
		]);
	});

	it("takes mode and model from the strongest file that has one", async () => {
		const { settings } = await load({
			"repo/.clowder/settings.json": { model: "haiku" },
			"repo/.claude/settings.json": { permissions: { defaultMode: "plan" }, model: "opus" },
			"home/.claude/settings.json": { permissions: { defaultMode: "acceptEdits" } },
		});
		expect(settings.permissions.defaultMode).toBe("plan");
		expect(settings.model).toBe("haiku");
	});

	it("makes additional directories absolute from their own file, each once", async () => {
		const { settings, root } = await load({
			"repo/.claude/settings.json": { permissions: { additionalDirectories: ["../docs", "~/notes", "/abs"] } },
			"home/.claude/settings.json": { permissions: { additionalDirectories: ["notes", "/abs"] } },
		});
		expect(settings.permissions.additionalDirectories).toEqual([join(root, "docs"), join(root, "home/notes"), "/abs"]);
	});

	it("joins hooks of all files in order, each with its source", async () => {
		const { settings, root } = await load({
			"repo/.claude/settings.json": { hooks: hook("one") },
			"home/.claude/settings.json": {
				hooks: {
					...hook("two"),
					Notification: [{ matcher: "x", hooks: [{ type: "command", command: "three", timeout: 1.5 }] }],
				},
			},
		});
		const project = join(root, "repo/.claude/settings.json");
		const home = join(root, "home/.claude/settings.json");
		expect(settings.hooks).toEqual({
			Stop: [
				{ matcher: "", hooks: [{ command: "one", source: project, projectDir: join(root, "repo") }] },
				{ matcher: "", hooks: [{ command: "two", source: home }] },
			],
			Notification: [{ matcher: "x", hooks: [{ command: "three", source: home, timeoutMs: 1_500 }] }],
		});
	});

	it("switches all hooks off where the strongest word says so", async () => {
		const files = {
			"repo/.claude/settings.json": { disableAllHooks: true, hooks: hook("one") },
			"home/.claude/settings.json": { hooks: hook("two") },
		};
		expect((await load(files)).settings.hooks).toEqual({});
		expect(Object.keys((await load(files, { projectFiles: "untrusted" })).settings.hooks)).toEqual(["Stop"]);
	});

	it("keeps unknown keys", async () => {
		const { settings, problems } = await load({
			"repo/.claude/settings.json": '{"statusLine": {"type": "x"}, "theme": "dark", "__proto__": {"polluted": true}}',
			"home/.claude/settings.json": { theme: "light", cleanupPeriodDays: 30 },
		});
		expect(settings.other).toEqual({ statusLine: { type: "x" }, theme: "dark", cleanupPeriodDays: 30 });
		expect(problems).toEqual([]);
		expect({}).not.toHaveProperty("polluted");
	});

	it("keeps provider credentials out of the environment of child processes", async () => {
		const { settings } = await load({
			"home/.claude/settings.json": { env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t", FOO: "x" } },
		});
		expect(settings.env).toEqual({ FOO: "x" });
	});

	it("reports every fault once with its place and loads the rest", async () => {
		const { settings, problems } = await load({
			"repo/.clowder/settings.json": '{\n\t"model": "x",\n}\n',
			"repo/.claude/settings.local.json": "",
			"repo/.claude/settings.json": {
				model: 5,
				env: { A: {}, B: "b" },
				permissions: { allow: "Bash", deny: ["Read", 7], defaultMode: "yolo" },
				hooks: {
					Sometimes: [],
					Stop: "x",
					Notification: [
						{ hooks: "x" },
						{ matcher: "(", hooks: [] },
						{ hooks: [{ type: "prompt" }, { command: " " }, { command: "ok", timeout: "5" }] },
					],
				},
			},
			"home/.claude/settings.json": "[1]",
		});
		expect(problems).toEqual([
			"repo/.clowder/settings.json:3: it is no JSON (column 1): there must be no comma before }",
			"home/.claude/settings.json:1: it must hold a JSON object { … }",
			'repo/.claude/settings.json: permissions.defaultMode "yolo" is not one of default, acceptEdits, plan, dontAsk, bypassPermissions',
			"repo/.claude/settings.json: permissions.allow must be a list of texts",
			"repo/.claude/settings.json: permissions.deny[1] must be text",
			"repo/.claude/settings.json: model must be text",
			"repo/.claude/settings.json: env.A must be text",
			expect.stringMatching(/hooks\.Sometimes is ignored: there is no such event here\. Known: PreToolUse, /),
			"repo/.claude/settings.json: hooks.Stop must be a list",
			'repo/.claude/settings.json: hooks.Notification[0] must be an object with a list "hooks"',
			expect.stringMatching(/hooks\.Notification\[1\]\.matcher is no valid regular expression/),
			'repo/.claude/settings.json: hooks.Notification[2].hooks[0] has the type "prompt"; only "command" is supported',
			"repo/.claude/settings.json: hooks.Notification[2].hooks[1].command must be a shell command",
			"repo/.claude/settings.json: hooks.Notification[2].hooks[2].timeout must be a number of seconds above 0; the default is used",
		]);
		expect(settings.env).toEqual({ B: "b" });
		expect(settings.permissions.rules[1]?.lists.deny).toEqual(["Read"]);
		expect(settings.hooks.Notification?.[0]?.hooks.map(({ command }) => command)).toEqual(["ok"]);
	});

	it("lets an untrusted project forbid but neither permit nor start anything", async () => {
		const project = {
			permissions: {
				allow: ["Bash"],
				ask: ["Write"],
				deny: ["Read(.env)"],
				defaultMode: "bypassPermissions",
				additionalDirectories: ["/"],
			},
			hooks: hook("evil"),
			env: { PATH: "/evil" },
			apiKeyHelper: "evil",
			model: "haiku",
		};
		const { settings, waiting } = await load({ "repo/.claude/settings.json": project }, { projectFiles: "untrusted" });
		expect(settings.permissions.rules.map(({ lists }) => lists)).toEqual([{ ask: ["Write"], deny: ["Read(.env)"] }]);
		expect(settings.permissions.defaultMode).toBeUndefined();
		expect(settings.permissions.additionalDirectories).toEqual([]);
		expect(settings.hooks).toEqual({});
		expect(settings.env).toEqual({});
		expect(settings.other).toEqual({});
		expect(settings.model).toBe("haiku");
		expect(waiting).toEqual([
			"1 allow rule in repo/.claude/settings.json\n  Bash",
			"1 hook in repo/.claude/settings.json\n  Stop: evil",
			"1 environment variable in repo/.claude/settings.json\n  PATH=/evil",
			"1 additional directory in repo/.claude/settings.json\n  /",
			"default mode bypassPermissions in repo/.claude/settings.json",
		]);
	});

	it("lets an untrusted project ask for a stricter mode", async () => {
		const { settings } = await load(
			{ "repo/.claude/settings.json": { permissions: { defaultMode: "plan" } } },
			{ projectFiles: "untrusted" },
		);
		expect(settings.permissions.defaultMode).toBe("plan");
	});

	it("leaves the project's files out altogether where that is asked for", async () => {
		const files = {
			"repo/.claude/settings.json": { permissions: { deny: ["Read"] } },
			"home/.claude/settings.json": { model: "opus" },
		};
		const { read, settings } = await load(files, { projectFiles: "excluded" });
		expect(read).toEqual(["home/.claude/settings.json"]);
		expect(settings.model).toBe("opus");
	});

	it("reads the folders up to the repository root, the nearest strongest", async () => {
		const { read, settings } = await load(
			{
				"repo/.claude/settings.json": { model: "far" },
				"repo/sub/.claude/settings.json": { model: "near" },
				".claude/settings.json": { model: "outside" },
			},
			{ sub: "repo/sub" },
		);
		expect(read).toEqual(["repo/sub/.claude/settings.json", "repo/.claude/settings.json"]);
		expect(settings.model).toBe("near");
	});

	it("reads the home folder's own local answers when that is where the person works", async () => {
		const { settings } = await load(
			{
				"home/.clowder/settings.local.json": { permissions: { allow: ["Bash(ls)"] } },
				"home/.claude/settings.json": {},
			},
			{ sub: "home", projectFiles: "untrusted" },
		);
		expect(settings.permissions.rules[0]).toMatchObject({ source: { scope: "user" }, lists: { allow: ["Bash(ls)"] } });
	});

	it.each([
		[{ permissions: { Deny: ["Bash"] } }, "'permissions.Deny' is unknown. Did you mean 'deny'?", "file"],
		[{ permissions: { denys: ["Bash"] } }, "'permissions.denys' is unknown. Did you mean 'deny'?", "file"],
		[{ permissions: { asks: "Bash" } }, "'permissions.asks' is unknown. Did you mean 'ask'?", "file"],
		[
			{ permissions: { defaultmode: "plan" } },
			"'permissions.defaultmode' is unknown. Did you mean 'defaultMode'?",
			"file",
		],
		[
			{ permissions: { forbidden: ["Bash"] } },
			"'permissions.forbidden' is unknown. Known are allow, ask, deny, defaultMode, additionalDirectories",
			"file",
		],
		[{ permissions: { Allow: ["Bash"] } }, "'permissions.Allow' is unknown. Did you mean 'allow'?", undefined],
		[{ Permissions: { deny: ["Bash"] } }, "'Permissions' is unknown. Did you mean 'permissions'?", "file"],
		[{ deny: ["Bash"] }, "'deny' is unknown. Did you mean 'permissions.deny'?", "file"],
	])("tells of a key under which rules may be lost: %j", async (file, reason, mayLoseBans) => {
		const { faults } = await load({ "repo/.claude/settings.json": file });
		expect(faults.map((fault) => [fault.reason, fault.mayLoseBans])).toEqual([[reason, mayLoseBans]]);
	});

	it("takes no offence at keys that others read", async () => {
		const file = { permissions: { disableBypassPermissionsMode: "disable", later: 1 }, permissionMode: "x", env: {} };
		expect((await load({ "repo/.claude/settings.json": file })).problems).toEqual([]);
	});

	it.each([
		['{"permissions":{"deny":["Read(.env)"],\n"deny":[]}}', 2, "deny"],
		['{"permissions":{"deny":["Bash"]},\n\n"perm\\u0069ssions":{}}', 3, "permissions"],
	])("tells that of two keys of one name the rules of the first are lost: %s", async (text, line, key) => {
		const { faults, root } = await load({ "repo/.claude/settings.json": text });
		expect(faults).toEqual([
			{
				path: join(root, "repo/.claude/settings.json"),
				line,
				reason: `the key "${key}" stands here a second time; only this one counts`,
				mayLoseBans: "file",
			},
		]);
	});

	it("leaves the same key in two objects alone", async () => {
		const text =
			'{"a":{"permissions":1},"b":[{"permissions":1},{"permissions":1}],"permissions":{"deny":[]},"env":{"A":1,"A":2}}';
		expect((await load({ "repo/.claude/settings.json": text })).problems).toEqual([]);
	});
});
