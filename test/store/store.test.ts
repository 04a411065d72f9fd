import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/lib/clock.ts";
import { isProcessAlive } from "../../src/store/process-identity.ts";
import { openStore } from "../../src/store/store.ts";
import { buildFixture, startChild } from "./child.ts";
import { makeRun } from "./records.ts";
import { makeTempDir } from "./temp-dir.ts";

const clock = systemClock;

async function makeFilledState(stateDir: string): Promise<string> {
	const store = await openStore({ stateDir, clock });
	await Promise.all(
		Array.from({ length: 60 }, (_, index) =>
			store.runs.putRun(makeRun({ id: `task_${index}`, prompt: "p".repeat(900) })),
		),
	);
	await store.runs.putRun(makeRun({ id: "task_long", finalText: "t".repeat(20_000) }));
	await store.close();
	return join(stateDir, "db", "data.mdb");
}

describe("openStore", () => {
	test("creates the state folder for its user alone and nothing beside the environment", async () => {
		const stateDir = join(makeTempDir(), "a", "b");
		const store = await openStore({ stateDir, clock });
		await store.close();
		expect(statSync(stateDir).mode & 0o777).toBe(0o700);
		expect(readdirSync(stateDir)).toEqual(["db"]);
	});

	test("finds again what was written before", async () => {
		const stateDir = makeTempDir();
		const before = await openStore({ stateDir, clock });
		await before.runs.putRun(makeRun({ id: "task_1", status: "COMPLETED", finalText: "done" }));
		await before.close();
		const after = await openStore({ stateDir, clock });
		expect(after.runs.getRun("task_1")?.finalText).toBe("done");
		await after.close();
	});

	test("shares one folder between two stores, and the second outlives the first", async () => {
		const stateDir = makeTempDir();
		const [one, two] = await Promise.all([openStore({ stateDir, clock }), openStore({ stateDir, clock })]);
		await one.runs.putRun(makeRun({ id: "task_1" }));
		await one.close();
		await two.runs.putRun(makeRun({ id: "task_2" }));
		expect(two.runs.listRuns().map((run) => run.id)).toEqual(["task_1", "task_2"]);
		await two.close();
	});

	test("refuses a file in the place of the folder", async () => {
		const stateDir = join(makeTempDir(), "state");
		writeFileSync(stateDir, "mine");
		await expect(openStore({ stateDir, clock })).rejects.toMatchObject({
			code: "ERR_STATE_DIR",
			message: expect.stringContaining("A file stands in the place of the folder"),
		});
		expect(readFileSync(stateDir, "utf8")).toBe("mine");
	});

	test("refuses a file in the place of a folder above", async () => {
		const file = join(makeTempDir(), "file");
		writeFileSync(file, "mine");
		await expect(openStore({ stateDir: join(file, "state"), clock })).rejects.toMatchObject({
			code: "ERR_STATE_DIR",
			message: expect.stringContaining("A file stands in the place of a folder on this path"),
		});
	});

	test("refuses the state of a newer version and leaves it as it is", async () => {
		const stateDir = makeTempDir();
		const store = await openStore({ stateDir, clock });
		const meta = store.table("meta", z.number());
		await store.transaction(() => meta.set("format-version", 2));
		await store.close();
		const file = join(stateDir, "db", "data.mdb");
		const bytes = readFileSync(file);
		await expect(openStore({ stateDir, clock })).rejects.toMatchObject({
			code: "ERR_STATE_VERSION",
			message: `The state in ${join(stateDir, "db")} has format 2, newer than 1. Use the newer version that wrote it, or name another state folder`,
		});
		expect(readFileSync(file).equals(bytes)).toBe(true);
	});

	test("refuses calls after close", async () => {
		const store = await openStore({ stateDir: makeTempDir(), clock });
		await store.close();
		await expect(store.runs.putRun(makeRun({ id: "task_1" }))).rejects.toMatchObject({ code: "ERR_CLOSED" });
		expect(() => store.runs.getRun("task_1")).toThrow("The supervisor is closed");
		await store.close();
	});

	test("finishes the writes under way before it closes", async () => {
		const stateDir = makeTempDir();
		const store = await openStore({ stateDir, clock });
		const written = store.runs.putRun(makeRun({ id: "task_1" }));
		await store.close();
		await written;
		const after = await openStore({ stateDir, clock });
		expect(after.runs.getRun("task_1")?.id).toBe("task_1");
		await after.close();
	});

	test("keeps transcript paths inside the state folder whatever the ids are", async () => {
		const store = await openStore({ stateDir: makeTempDir(), clock });
		expect(store.transcriptPath("..", "../task/1")).toBe(join(store.stateDir, "transcripts", "_..", ".._task_1.jsonl"));
		await store.close();
	});
});

describe("a damaged state file", () => {
	const base = makeTempDir();
	let whole: Buffer;

	beforeAll(async () => {
		whole = readFileSync(await makeFilledState(join(base, "whole")));
	});

	async function expectRefused(name: string, bytes: Buffer): Promise<void> {
		const folder = join(base, name, "db");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "data.mdb"), bytes);
		await expect(openStore({ stateDir: join(base, name), clock }), name).rejects.toMatchObject({
			code: "ERR_STATE_CORRUPT",
			message: expect.stringContaining(`The state file ${join(folder, "data.mdb")} is damaged`),
			remedy: expect.stringContaining("Restore the folder"),
		});
		expect(readFileSync(join(folder, "data.mdb")).equals(bytes), name).toBe(true);
		expect(readdirSync(folder), name).toEqual(["data.mdb"]);
	}

	test("is refused at whatever length it was cut", async () => {
		for (const length of [0, 1, 100, 4_095, 4_096, 5_000, 8_191, 8_192, 8_193, 20_000, whole.length >> 1]) {
			await expectRefused(`cut-${length}`, whole.subarray(0, length));
		}
	});

	test("is refused when it holds text, zeros or noise", async () => {
		await expectRefused("text", Buffer.from("not a database\n".repeat(2_000)));
		await expectRefused("zeros", Buffer.alloc(whole.length));
		await expectRefused(
			"noise",
			Buffer.from(Array.from({ length: whole.length }, (_, at) => (at * 7_919 + (at >> 8)) & 255)),
		);
	});

	test("is refused when a header or everything behind the headers was overwritten", async () => {
		const withNoise = (from: number, to: number) => Buffer.from(whole).fill(0xa5, from, to);
		await expectRefused("header-0", withNoise(0, 4_096));
		await expectRefused("header-1", withNoise(4_096, 8_192));
		await expectRefused("headers", withNoise(0, 8_192));
		await expectRefused("body", withNoise(8_192, whole.length));
		await expectRefused("page-size", Buffer.from(whole).fill(0, 48, 52));
	});

	test("is refused when it is missing from its folder", async () => {
		mkdirSync(join(base, "missing", "db"), { recursive: true });
		await expect(openStore({ stateDir: join(base, "missing"), clock })).rejects.toMatchObject({
			code: "ERR_STATE_CORRUPT",
			message: expect.stringContaining("it is missing"),
		});
		expect(existsSync(join(base, "missing", "db", "data.mdb"))).toBe(false);
	});

	test("opens from a copy that is whole", async () => {
		mkdirSync(join(base, "copy", "db"), { recursive: true });
		copyFileSync(join(base, "whole", "db", "data.mdb"), join(base, "copy", "db", "data.mdb"));
		const store = await openStore({ stateDir: join(base, "copy"), clock });
		expect(store.runs.listRuns()).toHaveLength(61);
		expect(store.runs.getRun("task_long")?.finalText).toHaveLength(20_000);
		await store.close();
	});
});

describe("a process that uses the store", () => {
	let fixture: string;

	beforeAll(async () => {
		fixture = await buildFixture(new URL("./fixtures/write-runs.ts", import.meta.url), "write-runs");
		return () => rmSync(join(fixture, ".."), { recursive: true, force: true });
	});

	test("loses no record that it was promised when it is killed, and its runs are told to be interrupted once", async () => {
		const stateDir = makeTempDir();
		const children = ["a", "b"].map((prefix) => startChild(process.execPath, [fixture, stateDir, prefix]));
		await Promise.all(
			children.map((child, index) => child.line((line) => line.startsWith(index === 0 ? "a_20_" : "b_20_"))),
		);
		for (const child of children) child.process.kill("SIGKILL");
		await Promise.all(children.map((child) => child.ended));
		const store = await openStore({ stateDir, clock });
		const promised = children.flatMap((child) => child.lines.slice(1).flatMap((line) => line.split(" ")));
		expect(promised.length).toBeGreaterThanOrEqual(120);
		const interrupted = await store.runs.markInterrupted((session) => isProcessAlive(session.owner));
		expect(promised.filter((id) => !interrupted.some((run) => run.id === id))).toEqual([]);
		expect(store.runs.getRun("a_0_0")).toMatchObject({ status: "FAILED", reason: "interrupted" });
		expect(await store.runs.markInterrupted(() => false)).toEqual([]);
		await store.close();
	});

	test.skipIf(process.platform === "win32")("fails with a clear error when the disk takes no more", async () => {
		const stateDir = makeTempDir();
		// A limit on the size of files stands in for a full disk.
		const child = startChild("bash", ["-c", 'ulimit -f 400; exec "$0" "$@"', process.execPath, fixture, stateDir, "a"]);
		const { code, signal } = await child.ended;
		expect({ code, signal }).toEqual({ code: 0, signal: null });
		expect(child.lines.slice(-2)).toEqual([
			expect.stringMatching(/^failed ERR_STATE_DIR State in .*db cannot be used/),
			"closed",
		]);
		const promised = child.lines.slice(1, -2).flatMap((line) => line.split(" "));
		const store = await openStore({ stateDir, clock });
		expect(promised.filter((id) => store.runs.getRun(id) === undefined)).toEqual([]);
		await store.close();
	});

	test.skipIf(process.platform === "win32").each([0, 8, 24, 32, 200])(
		"is told where there is no room for its files, and leaves none behind (%i KB)",
		async (kilobytes) => {
			const stateDir = makeTempDir();
			const command = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
			const child = startChild("bash", ["-c", command, process.execPath, fixture, stateDir, "a"]);
			expect(await child.ended).toEqual({ code: 0, signal: null });
			expect(child.lines).toEqual([
				`refused ERR_STATE_DIR State in ${stateDir} cannot be used: EFBIG: file too large, write. Raise the limit on the size of files (ulimit -f), or name another state folder`,
			]);
			expect(readdirSync(stateDir)).toEqual([]);
		},
	);
});
