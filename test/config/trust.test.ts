import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTrustStore, decideProjectFiles } from "../../src/config/trust.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { makeTree } from "./make-tree.ts";

async function setup() {
	const root = await makeTree({ "home/": "", "repo/sub/": "", "other/": "" });
	const homeDir = join(root, "home");
	return { root, homeDir, store: createTrustStore({ homeDir, clock: createFakeClock() }) };
}

describe("createTrustStore", () => {
	it("remembers a folder for the next program, and what is below it", async () => {
		const { root, homeDir, store } = await setup();
		expect(await store.isTrusted(join(root, "repo"))).toBe(false);
		await store.trust(join(root, "repo"));
		const later = createTrustStore({ homeDir, clock: createFakeClock() });
		expect(await later.isTrusted(join(root, "repo"))).toBe(true);
		expect(await later.isTrusted(join(root, "repo/sub"))).toBe(true);
		expect(await later.isTrusted(join(root, "other"))).toBe(false);
		expect(await later.isTrusted(root)).toBe(false);
		expect(await later.isTrusted(join(root, "repo-2"))).toBe(false);
	});

	it("keeps an answer a person can read and nobody else can write", async () => {
		const { root, homeDir, store } = await setup();
		await store.trust(join(root, "repo"));
		const folder = join(homeDir, ".clowder/trust");
		const [name, ...others] = await readdir(folder);
		expect(others).toEqual([]);
		const file = join(folder, name ?? "");
		expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
			folder: join(root, "repo"),
			trustedAt: "2026-01-01T00:00:00.000Z",
		});
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it("takes trust back", async () => {
		const { root, store } = await setup();
		await store.trust(join(root, "repo"));
		await store.distrust(join(root, "repo"));
		expect(await store.isTrusted(join(root, "repo"))).toBe(false);
	});

	it("knows a folder by whatever link it is reached, and is not fooled by one", async () => {
		const { root, store } = await setup();
		await symlink(join(root, "repo"), join(root, "link"));
		await store.trust(join(root, "link"));
		expect(await store.isTrusted(join(root, "repo"))).toBe(true);
		await symlink(join(root, "other"), join(root, "repo/sub/out"));
		expect(await store.isTrusted(join(root, "repo/sub/out"))).toBe(false);
	});

	it("does not spread trust from the home folder over everything in it", async () => {
		const { homeDir, store } = await setup();
		await store.trust(homeDir);
		expect(await store.isTrusted(homeDir)).toBe(true);
		expect(await store.isTrusted(join(homeDir, "clone"))).toBe(false);
	});

	it("trusts nothing on the word of a damaged file", async () => {
		const { root, homeDir, store } = await setup();
		await store.trust(join(root, "repo"));
		const [name] = await readdir(join(homeDir, ".clowder/trust"));
		for (const content of ["", "{", "[]", '{"folder":"/"}']) {
			await writeFile(join(homeDir, ".clowder/trust", name ?? ""), content);
			expect(await store.isTrusted(join(root, "repo"))).toBe(false);
		}
	});

	it("says what to do when the answer cannot be kept", async () => {
		const { root, homeDir, store } = await setup();
		await writeFile(join(homeDir, ".clowder"), "a file in the way");
		await expect(store.trust(join(root, "repo"))).rejects.toMatchObject({
			code: "ERR_FILE",
			remedy: `Make ${join(homeDir, ".clowder/trust")} writable`,
		});
	});

	it("loses no answer when several are given at once", async () => {
		const { root, store } = await setup();
		const folders = Array.from({ length: 20 }, (_, index) => join(root, `p${index}`));
		await Promise.all(folders.map((folder) => store.trust(folder)));
		expect(await Promise.all(folders.map((folder) => store.isTrusted(folder)))).toEqual(folders.map(() => true));
	});
});

describe("decideProjectFiles", () => {
	it.each([
		[{ trusted: false, headless: false, noProjectSettings: false }, "untrusted"],
		[{ trusted: true, headless: false, noProjectSettings: false }, "trusted"],
		[{ trusted: false, headless: true, noProjectSettings: false }, "trusted"],
		[{ trusted: true, headless: true, noProjectSettings: true }, "excluded"],
	] as const)("takes %j for %s", (facts, expected) => {
		expect(decideProjectFiles(facts)).toBe(expected);
	});
});
