import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { findLmdbFault } from "../../src/store/lmdb-check.ts";
import { openTestStore } from "./open-store.ts";
import { makeRun } from "./records.ts";
import { makeTempDir } from "./temp-dir.ts";

const folder = makeTempDir();
let whole: Buffer;

beforeAll(async () => {
	const { store, stateDir } = await openTestStore();
	for (let round = 0; round < 8; round++) {
		const ids = Array.from({ length: 20 }, (_, at) => `task_${round}_${at}`);
		await Promise.all(ids.map((id) => store.runs.putRun(makeRun({ id, prompt: "p".repeat(at(id) * 500) }))));
	}
	await store.runs.deleteSessionRuns("session_1");
	await Promise.all(["a", "b", "c"].map((id) => store.runs.putRun(makeRun({ id, finalText: "t".repeat(9_000) }))));
	await store.close();
	whole = readFileSync(join(stateDir, "db", "data.mdb"));
});

const at = (id: string) => Number(id.split("_")[2]);

function faultOf(bytes: Buffer): string | undefined {
	const file = join(folder, "data.mdb");
	writeFileSync(file, bytes);
	return findLmdbFault(file);
}

test("finds nothing wrong with a file that grew, shrank and holds long values", () => {
	expect(faultOf(whole)).toBeUndefined();
});

test("says what is wrong", () => {
	const damage = (change: (bytes: Buffer) => void) => {
		const bytes = Buffer.from(whole);
		change(bytes);
		return faultOf(bytes);
	};
	expect(damage((bytes) => bytes.fill(0, 0, 4_096))).toBe("header 0 is not one of a state file");
	expect(damage((bytes) => bytes.writeUInt16LE(1, 28))).toBe("header 0 has the unknown layout version 1");
	expect(damage((bytes) => bytes.writeUInt32LE(1_000, 48))).toBe("its page size of 1000 is impossible");
	expect(faultOf(whole.subarray(0, 6_000))).toMatch(/^the file is cut short|^it refers to the impossible page/);
});

test("reads any damaged file to an end and only ever answers", () => {
	const damage = fc.oneof(
		fc.record({ cutAt: fc.double({ min: 0, max: 1, noNaN: true }) }),
		fc.record({ page: fc.nat(40), offset: fc.nat(4_095), bytes: fc.uint8Array({ minLength: 1, maxLength: 24 }) }),
		fc.record({ page: fc.nat(40), offset: fc.nat(40), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
	);
	fc.assert(
		fc.property(damage, (how) => {
			if ("cutAt" in how) return typeof faultOf(whole.subarray(0, Math.floor(whole.length * how.cutAt))) !== "number";
			const bytes = Buffer.from(whole);
			bytes.set(
				how.bytes.subarray(0, Math.max(0, bytes.length - how.page * 4_096 - how.offset)),
				Math.min(how.page * 4_096 + how.offset, bytes.length),
			);
			return ["string", "undefined"].includes(typeof faultOf(bytes));
		}),
		{ numRuns: 200 },
	);
});
