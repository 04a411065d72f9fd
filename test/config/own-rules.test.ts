import { mkdir, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOwnRules } from "../../src/config/own-rules.ts";
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createAnswerWriter } from "../../src/runtime/permissions/answer-writer.ts";
import { makeTree } from "./make-tree.ts";

const LOCAL = ".clowder/settings.local.json";

async function setup(local?: object) {
	const root = await makeTree({
		"home/": "",
		"repo/.git/": "",
		"other/.git/": "",
		...(local === undefined ? {} : { [`repo/${LOCAL}`]: JSON.stringify(local) }),
	});
	const homeDir = join(root, "home");
	const warnings: string[] = [];
	const answerIn = (folder: string, readsProject = true) =>
		createAnswerWriter(join(root, folder, LOCAL), {
			homeDir,
			readsProject,
			env: { PATH: process.env.PATH },
			clock: systemClock,
			onWarning: (text) => void warnings.push(text),
		});
	const loaded = async (folder: string) => {
		const { settings, withheld } = await loadSettings({ cwd: join(root, folder), homeDir });
		return {
			allow: settings.permissions.rules.flatMap(({ lists }) => lists.allow ?? []),
			withheld: withheld.map((text) => text.replaceAll(`${root}/`, "")),
		};
	};
	return { root, homeDir, warnings, answerIn, loaded };
}

describe("A rule that the person had written into the project's settings", () => {
	it("counts at the next start without trust in the folder, and nothing waits", async () => {
		const { answerIn, loaded } = await setup();
		await answerIn("repo")(["Bash(npm test *)", "Edit(/a)"]);
		expect(await loaded("repo")).toEqual({ allow: ["Bash(npm test *)", "Edit(/a)"], withheld: [] });
	});

	it("does not vouch for what else the file holds", async () => {
		const { answerIn, loaded } = await setup({ permissions: { allow: ["Bash(curl *)"] }, env: { A: "b" } });
		await answerIn("repo")(["Edit(/a)"]);
		expect(await loaded("repo")).toEqual({
			allow: ["Edit(/a)"],
			withheld: [`1 allow rule in repo/${LOCAL}\n  Bash(curl *)`, `1 environment variable in repo/${LOCAL}\n  A=b`],
		});
	});

	it("counts in that project alone, by whatever link the other one claims its file", async () => {
		const { root, answerIn, loaded } = await setup();
		await answerIn("repo")(["Edit(/a)"]);
		await symlink(join(root, "repo/.clowder"), join(root, "other/.clowder"));
		expect(await loaded("other")).toEqual({ allow: [], withheld: [`1 allow rule in other/${LOCAL}\n  Edit(/a)`] });
		await symlink(join(root, "repo"), join(root, "link"));
		expect((await loaded("link")).allow).toEqual(["Edit(/a)"]);
	});

	it("no longer counts when it is taken out of the file", async () => {
		const { root, answerIn, loaded } = await setup();
		await answerIn("repo")(["Edit(/a)"]);
		await writeFile(join(root, "repo", LOCAL), "{}");
		expect(await loaded("repo")).toEqual({ allow: [], withheld: [] });
	});

	it("is no other rule, kind or file of the project", async () => {
		const { root, answerIn, loaded } = await setup();
		await answerIn("repo")(["Edit(/a)"]);
		await answerIn("repo")(["Bash(ls)"], "ask");
		await rename(join(root, "repo", LOCAL), join(root, "repo/.clowder/settings.json"));
		expect((await loaded("repo")).allow).toEqual([]);
		await writeFile(join(root, "repo", LOCAL), JSON.stringify({ permissions: { allow: ["Edit(/**)", "Bash(ls)"] } }));
		expect((await loaded("repo")).allow).toEqual([]);
	});

	it("is not remembered for a program that reads no project's files", async () => {
		const { homeDir, answerIn, loaded } = await setup();
		await answerIn("repo", false)(["Edit(/a)"]);
		expect(await loaded("repo")).toEqual({ allow: [], withheld: [`1 allow rule in repo/${LOCAL}\n  Edit(/a)`] });
		expect(await readdir(homeDir)).toEqual([]);
	});

	it("is remembered where nobody else can write, and believed from no damaged file", async () => {
		const { root, homeDir, answerIn } = await setup();
		await answerIn("repo")(["Edit(/a)"]);
		const folder = join(homeDir, ".clowder/trust");
		const [name = "", ...others] = await readdir(folder);
		expect(others).toEqual([]);
		expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
		const own = createOwnRules(homeDir);
		const file = join(root, "repo", LOCAL);
		expect([...(await own.among(file, ["Edit(/a)", "Edit(/b)"]))]).toEqual(["Edit(/a)"]);
		for (const content of ["", "{", "[]", JSON.stringify({ file, allow: "Edit(/b)" })]) {
			await writeFile(join(folder, name), content);
			expect([...(await own.among(file, ["Edit(/a)"]))]).toEqual([]);
		}
	});

	it("is written, with a warning, where it cannot be remembered", async () => {
		const { homeDir, answerIn, loaded, warnings } = await setup();
		await mkdir(homeDir, { recursive: true });
		await writeFile(join(homeDir, ".clowder"), "a file in the way");
		await answerIn("repo")(["Edit(/a)"]);
		expect(warnings).toEqual([
			expect.stringMatching(/^The next start will ask about rules in .*settings\.local\.json: /),
		]);
		expect((await loaded("repo")).withheld).toHaveLength(1);
	});
});
