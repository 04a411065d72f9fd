import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionCall } from "../../src/permissions/call.ts";
import { makeTempDir } from "../store/temp-dir.ts";
import { buildEngine, callOf, EXPLORER, type Setup } from "./harness.ts";

// The session works in a subfolder of the repository; the copy lies in the program's own state folder.
const ORIGIN = "/home/ada/repo";
const SESSION = "/home/ada/repo/api";
const COPY = { path: "/home/ada/.clowder/projects/repo-1/worktrees/fix-1", origin: ORIGIN };
const CWD = `${COPY.path}/api`;

function decide(setup: Setup, tool: string, input: unknown, more: Partial<PermissionCall> = {}) {
	const { engine } = buildEngine({ cwd: SESSION, ...setup });
	return engine.decide(callOf(tool, input, { cwd: CWD, copy: COPY, ...more }));
}
const edit = (setup: Setup, path: string) => decide(setup, "edit_file", { path }).decision;
const bash = (setup: Setup, command: string) => decide(setup, "bash", { command }).decision;

describe("An agent in a copy of the project, where edits are accepted", () => {
	const setup: Setup = { mode: "acceptEdits" };

	it.each(["a.ts", "src/a.ts", `${CWD}/a.ts`, "../api/a.ts"])("edits its own file %s", (path) => {
		expect(edit(setup, path)).toBe("allow");
	});

	it.each([
		`${SESSION}/a.ts`,
		`${ORIGIN}/a.ts`,
		"../../../../../../repo/api/a.ts",
		`${COPY.path}-other/api/a.ts`,
		"/home/ada/.clowder/projects/repo-1/db/data.mdb",
	])("has to ask about %s", (path) => {
		expect(edit(setup, path)).toBe("ask");
	});

	it.each([".env", ".claude/settings.json", ".git/config", `${COPY.path}/api/.clowder/settings.json`])(
		"has to ask about %s, which decides what may run",
		(path) => {
			expect(edit(setup, path)).toBe("ask");
		},
	);

	it("has to ask where a link leads out of the copy", () => {
		const base = realpathSync(makeTempDir());
		for (const folder of ["repo/api", "copy/api"]) mkdirSync(join(base, folder), { recursive: true });
		symlinkSync(join(base, "repo/api"), join(base, "copy/api/link"));
		const copy = { path: join(base, "copy"), origin: join(base, "repo") };
		const { engine } = buildEngine({ cwd: join(base, "repo/api"), mode: "acceptEdits", allow: ["Edit(/link/**)"] });
		const at = (path: string) => engine.decide(callOf("edit_file", { path }, { cwd: join(base, "copy/api"), copy }));
		expect(at("link/a.ts").decision).toBe("ask");
		expect(at("b.ts").decision).toBe("allow");
	});

	it("writes by shell into its own folder, and asks about the session's", () => {
		const allow = ["Bash(echo *)"];
		expect(bash({ ...setup, allow }, "echo x > out.txt")).toBe("allow");
		expect(bash({ ...setup, allow }, `echo x > ${SESSION}/out.txt`)).toBe("ask");
		expect(bash({ ...setup, allow }, `cd ${SESSION} && echo x > out.txt`)).toBe("ask");
	});
});

describe("A rule about the project", () => {
	it.each(["Edit(/src/**)", "Edit(src/**)", "Edit(./src/**)"])("allows with %s the same place of the copy", (rule) => {
		expect(edit({ allow: [rule] }, "src/a.ts")).toBe("allow");
		expect(edit({ allow: [rule] }, `${SESSION}/src/a.ts`)).toBe("ask");
		expect(edit({ allow: [rule] }, "other/a.ts")).toBe("ask");
	});

	it.each([
		"Read(/secret/**)",
		"Read(secret/**)",
		"Read(//home/ada/repo/api/secret/**)",
		"Read(~/repo/api/secret/**)",
		"Read(//home/*/repo/api/secret/**)",
		"Read(**/secret/**)",
	])("denies with %s the same place of the copy, and the place itself", (rule) => {
		const read = (path: string) => decide({ deny: [rule] }, "read_file", { path }).decision;
		expect(read("secret/key.pem")).toBe("deny");
		expect(read(`${CWD}/secret/key.pem`)).toBe("deny");
		expect(read(`${SESSION}/secret/key.pem`)).toBe("deny");
		expect(read("public/key.pem")).toBe("allow");
		expect(bash({ mode: "bypassPermissions", deny: [rule] }, "cat secret/key.pem")).toBe("deny");
		expect(bash({ mode: "bypassPermissions", deny: [rule] }, "cat $DIR/key.pem")).not.toBe("allow");
	});

	it("denies in the copy also when the copy lies inside the project", () => {
		const inside = { path: `${ORIGIN}/.state/worktrees/fix-1`, origin: ORIGIN };
		const { engine } = buildEngine({ cwd: ORIGIN, deny: ["Read(/secret/**)"] });
		const call = callOf("read_file", { path: "secret/a" }, { cwd: inside.path, copy: inside });
		expect(engine.decide(call).decision).toBe("deny");
	});

	it("hides the same files from a search of the copy", () => {
		const { engine } = buildEngine({ cwd: SESSION, deny: ["Read(//home/ada/repo/api/secret/**)", "Read(/b/*.key)"] });
		expect(engine.hiddenFrom(CWD, CWD, COPY).globs).toEqual(["/secret/**", "/b/*.key"]);
	});

	it("is offered for the project, not for the copy", () => {
		expect(decide({}, "edit_file", { path: "src/a.ts" })).toMatchObject({
			decision: "ask",
			suggestions: ["Edit(/src/a.ts)"],
		});
	});
});

it("lets an agent that may only look read its copy, and asks about the session's folder", () => {
	const base = realpathSync(makeTempDir());
	for (const folder of ["repo", "copy"]) mkdirSync(join(base, folder));
	const copy = { path: join(base, "copy"), origin: join(base, "repo") };
	for (const folder of [copy.path, copy.origin]) writeFileSync(join(folder, "a.txt"), "");
	const { engine } = buildEngine({ cwd: copy.origin });
	const look = (command: string) =>
		engine.decide(callOf("bash", { command }, { agent: EXPLORER, cwd: copy.path, copy })).decision;
	expect(look("cat a.txt")).toBe("allow");
	expect(look(`cat ${copy.origin}/a.txt`)).toBe("ask");
});
