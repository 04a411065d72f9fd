import { join } from "node:path";
import { expect, test } from "vitest";
import { bringUpToDate, type Migration, stampVersion } from "../../src/store/format-version.ts";
import { openEnvironment } from "../../src/store/lmdb-env.ts";
import { makeTempDir } from "./temp-dir.ts";

const renameField: Migration = {
	to: 2,
	tables: ["things"],
	migrate(table) {
		const things = table("things");
		for (const { key, value } of things.entries()) {
			things.put(key, JSON.stringify({ title: (JSON.parse(value) as { name: string }).name }));
		}
	},
};
const dropEmpty: Migration = {
	to: 3,
	tables: ["things"],
	migrate(table) {
		for (const { key, value } of table("things").entries()) {
			if (value === '{"title":""}') table("things").remove(key);
		}
	},
};

async function openOldState() {
	const folder = join(makeTempDir(), "db");
	const root = await openEnvironment(folder, (fresh) => {
		stampVersion(fresh);
		const things = fresh.openDB<string, string>({ name: "things", encoding: "string" });
		things.putSync("a", '{"name":"one"}');
		things.putSync("b", '{"name":""}');
	});
	const things = root.openDB<string, string>({ name: "things", encoding: "string" });
	const version = root.openDB<string, string>({ name: "meta", encoding: "string" });
	return { root, folder, read: () => [...things.getRange({})], version: () => version.get("format-version") };
}

test("runs the steps between the stored layout and the present one, in order, once", async () => {
	const { root, folder, read, version } = await openOldState();
	bringUpToDate(root, folder, 3, [renameField, dropEmpty]);
	expect(read()).toEqual([{ key: "a", value: '{"title":"one"}' }]);
	expect(version()).toBe("3");
	bringUpToDate(root, folder, 3, [
		{
			...renameField,
			migrate: () => {
				throw new Error("ran again");
			},
		},
	]);
	await root.close();
});

test("changes nothing when one step fails", async () => {
	const { root, folder, read, version } = await openOldState();
	const failing: Migration = {
		to: 3,
		tables: [],
		migrate: () => {
			throw new Error("no way");
		},
	};
	expect(() => bringUpToDate(root, folder, 3, [renameField, failing])).toThrow("no way");
	expect(read()).toEqual([
		{ key: "a", value: '{"name":"one"}' },
		{ key: "b", value: '{"name":""}' },
	]);
	expect(version()).toBe("1");
	await root.close();
});

test("refuses tables without a version", async () => {
	const folder = join(makeTempDir(), "db");
	const root = await openEnvironment(folder, () => {});
	expect(() => bringUpToDate(root, folder)).toThrow(`The state in ${folder} has no format version`);
	await root.close();
});
