import { expect, test } from "vitest";
import { z } from "zod";
import { openTestStore } from "./open-store.ts";

const schema = z.object({ name: z.string() });

test("applies all writes of an action together", async () => {
	const { store } = await openTestStore();
	const table = store.table("things", schema);
	await store.transaction(() => {
		table.set("a", { name: "one" });
		table.set("b", { name: "two" });
	});
	expect(table.entries()).toEqual([
		{ key: "a", value: { name: "one" } },
		{ key: "b", value: { name: "two" } },
	]);
	await store.close();
});

test("applies no write of an action that throws, and passes on what it threw", async () => {
	const { store } = await openTestStore();
	const table = store.table("things", schema);
	const [failed, fine] = await Promise.allSettled([
		store.transaction(() => {
			table.set("a", { name: "one" });
			throw new Error("changed its mind");
		}),
		store.transaction(() => table.set("b", { name: "two" })),
	]);
	expect(failed).toMatchObject({ status: "rejected", reason: { message: "changed its mind" } });
	expect(fine.status).toBe("fulfilled");
	expect(table.keys()).toEqual(["b"]);
	await store.close();
});

test("lets an action read what it found, and the next one what was written", async () => {
	const { store } = await openTestStore();
	const table = store.table("things", schema);
	const read = () => {
		table.set("a", { name: `${table.get("a")?.name ?? ""}+` });
		return table.get("a")?.name;
	};
	expect(await Promise.all([1, 2, 3].map(() => store.transaction(read)))).toEqual([undefined, "+", "++"]);
	await store.close();
});

test("refuses a write outside an action and a key that is too long", async () => {
	const { store } = await openTestStore();
	const table = store.table("things", schema);
	expect(() => table.set("a", { name: "one" })).toThrow("outside a transaction");
	await expect(store.transaction(() => table.set("k".repeat(2_000), { name: "one" }))).rejects.toMatchObject({
		code: "ERR_BAD_INPUT",
	});
	await store.close();
});

test("finds the keys that begin with the same parts, in order", async () => {
	const { store } = await openTestStore();
	const table = store.table("things", schema);
	const keys = [
		["s", "a", 10],
		["s", "a", 9],
		["s", "b", 1],
		["s2", "a", 1],
		["s", "\u{1f600}", 1],
		["r", "z", 1],
	];
	await store.transaction(() => {
		for (const key of keys) table.set(key, { name: "x" });
	});
	expect(table.keys({ prefix: ["s"] })).toEqual([
		["s", "a", 9],
		["s", "a", 10],
		["s", "b", 1],
		["s", "\u{1f600}", 1],
	]);
	expect(table.keys({ prefix: ["s", "a"], reverse: true, limit: 1 })).toEqual([["s", "a", 10]]);
	await store.close();
});

test("reports a record it cannot read once and serves the rest", async () => {
	const { store, stateDir } = await openTestStore();
	const loose = store.table("things", z.unknown());
	await store.transaction(() => {
		loose.set("bad", { name: 7 });
		loose.set("good", { name: "fine" });
	});
	await store.close();
	const { store: again, faults } = await openTestStore(stateDir);
	const table = again.table("things", schema);
	expect(table.get("bad")).toBeUndefined();
	expect(table.entries()).toEqual([{ key: "good", value: { name: "fine" } }]);
	expect(faults).toEqual([
		{ place: "things table", key: "bad", reason: expect.stringMatching(/^name: .*expected string/) },
	]);
	expect(again.faults()).toEqual(faults);
	await again.close();
});

test.each([["x".repeat(1_000_000)], ["x".repeat(1_501)], [""], [["a", ""]], [undefined], [{}], [[1, Number.NaN]]])(
	"has nothing under a key that cannot be",
	async (impossible) => {
		const { store } = await openTestStore();
		const table = store.table("things", schema);
		const key = impossible as string;
		await store.transaction(() => table.set("a", { name: "one" }));
		expect(table.get(key)).toBeUndefined();
		await store.transaction(() => table.remove(key));
		await expect(store.transaction(() => table.set(key, { name: "two" }))).rejects.toMatchObject({
			code: "ERR_BAD_INPUT",
		});
		if (impossible !== undefined) {
			expect(table.entries({ prefix: [key] })).toEqual([]);
			expect(table.keys({ prefix: [key] })).toEqual([]);
		}
		expect(table.entries()).toEqual([{ key: "a", value: { name: "one" } }]);
		await store.close();
	},
);
