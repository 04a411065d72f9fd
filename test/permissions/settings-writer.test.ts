import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createSettingsWriter } from "../../src/permissions/settings-writer.ts";

let folder: string;
let file: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "clowder-settings-"));
	file = join(folder, ".clowder", "settings.local.json");
});

async function given(text: string): Promise<void> {
	await mkdir(join(folder, ".clowder"), { recursive: true });
	await writeFile(file, text);
}

describe("createSettingsWriter", () => {
	it("makes the folder and the file", async () => {
		await createSettingsWriter(file)(["Bash(make)"]);
		expect(await readFile(file, "utf8")).toBe(
			'{\n  "permissions": {\n    "allow": [\n      "Bash(make)"\n    ]\n  }\n}\n',
		);
		expect(await readdir(join(folder, ".clowder"))).toEqual(["settings.local.json"]);
	});

	it("keeps everything else, in its order and with its indentation", async () => {
		await given(
			'{\n\t"odd": {"a": 1},\n\t"permissions": {"deny": ["Bash(rm *)"], "allow": ["Bash(ls)"], "x": 1},\n\t"hooks": {}\n}\n',
		);
		await createSettingsWriter(file)(["Bash(make)", "Bash(ls)", "Bash(make)"]);
		const text = await readFile(file, "utf8");
		expect(JSON.parse(text)).toEqual({
			odd: { a: 1 },
			permissions: { deny: ["Bash(rm *)"], allow: ["Bash(ls)", "Bash(make)"], x: 1 },
			hooks: {},
		});
		expect(Object.keys(JSON.parse(text))).toEqual(["odd", "permissions", "hooks"]);
		expect(text.startsWith('{\n\t"odd"')).toBe(true);
	});

	it("leaves the file alone when it has the rules already", async () => {
		const text = '{"permissions":{"allow":["Bash(ls)"]}}';
		await given(text);
		await createSettingsWriter(file)(["Bash(ls)"]);
		expect(await readFile(file, "utf8")).toBe(text);
	});

	it("loses no rule of calls at the same time", async () => {
		const write = createSettingsWriter(file);
		const rules = Array.from({ length: 20 }, (_, n) => `Bash(make t${n})`);
		await Promise.all(rules.map((rule) => write([rule])));
		expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ permissions: { allow: rules } });
	});

	it.each([
		["{ broken", "it is not valid JSON"],
		["[]", "it does not hold a JSON object"],
		['{"permissions": []}', "its permissions are not an object"],
		['{"permissions": {"allow": "x"}}', "its permissions.allow is not a list"],
	])("refuses to touch %s", async (text, reason) => {
		await given(text);
		const write = createSettingsWriter(file);
		await expect(write(["Bash(ls)"])).rejects.toMatchObject({
			code: "ERR_FILE",
			message: expect.stringContaining(reason),
		});
		expect(await readFile(file, "utf8")).toBe(text);
		await given("{}");
		await write(["Bash(ls)"]);
		expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ permissions: { allow: ["Bash(ls)"] } });
	});

	it("keeps the file's mode, and writes through a link", async () => {
		await given("{}");
		await chmod(file, 0o600);
		const link = join(folder, "link.json");
		await symlink(file, link);
		await createSettingsWriter(link)(["Bash(ls)"]);
		expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ permissions: { allow: ["Bash(ls)"] } });
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it("says which file could not be written", async () => {
		await writeFile(join(folder, "plain"), "");
		const write = createSettingsWriter(join(folder, "plain", "settings.json"));
		await expect(write(["Bash(ls)"])).rejects.toMatchObject({
			code: "ERR_FILE",
			message: expect.stringContaining(`${join(folder, "plain", "settings.json")} cannot be written`),
		});
	});
});
