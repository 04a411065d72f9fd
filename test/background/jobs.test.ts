import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJobStore } from "../../src/background/job-store.ts";
import { isAlive, temporaryFolder, until } from "../support/supervisor.ts";
import { clockThatHolds, SESSION, startJobs } from "./setup.ts";

const pidIn = async (file: string) => {
	let text = "";
	await until(async () => {
		text = await readFile(file, "utf8").catch(() => "");
		return /^\d+\n$/.test(text);
	});
	return Number(text);
};

describe("A background job", () => {
	it("is completed with exit code 0, and its file holds both outputs in their order", async () => {
		const { finish, announced } = await startJobs();
		const job = await finish("echo one; echo two >&2; echo three");
		expect(job).toMatchObject({ status: "completed", exitCode: 0, outputBytes: 14, outputWasCut: false });
		expect(job.reason).toBeUndefined();
		expect(await readFile(job.outputFile, "utf8")).toBe("one\ntwo\nthree\n");
		await until(() => announced.length === 1);
		expect(announced[0]).toMatchObject({ id: job.id, status: "completed" });
	});

	it("is failed with its own exit code", async () => {
		const { finish } = await startJobs();
		expect(await finish("echo no; exit 3")).toMatchObject({ status: "failed", exitCode: 3, reason: "exit code 3" });
	});

	it("is killed when a signal from outside ends it, and its empty file is there", async () => {
		const { finish } = await startJobs();
		const job = await finish("kill -9 $$");
		expect(job).toMatchObject({ status: "killed", reason: "ended by SIGKILL" });
		expect(job.exitCode).toBeUndefined();
		expect((await stat(job.outputFile)).size).toBe(0);
	});

	it("is timed-out after its time, with every process it started", async () => {
		const { clock, release } = clockThatHolds(300_000);
		const { finish, folder } = await startJobs({ clock });
		const ended = finish("sleep 600 & echo $! > child; wait", { timeoutMs: 300_000 });
		const child = await pidIn(join(folder, "child"));
		release();
		expect(await ended).toMatchObject({ status: "timed-out", reason: "it ran longer than its 300 s" });
		await until(async () => !(await isAlive(child)));
	});

	it("is ended when it is stopped, also when it does not listen", async () => {
		const { run, jobs, folder, ledger } = await startJobs();
		const { id } = await run("trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done");
		const pid = await pidIn(join(folder, "pid"));
		expect(ledger.allGroups()).toEqual([pid]);
		expect(await jobs.stop(id, "stopped by lead")).toMatchObject({ status: "killed", reason: "stopped by lead" });
		await until(async () => !(await isAlive(pid)));
		expect(ledger.allGroups()).toEqual([]);
	});

	it("ends with its leader: a grandchild that holds the output is ended too, also outside of the group", async () => {
		const { finish, folder } = await startJobs();
		const job = await finish("sleep 600 & echo $! > inside; setsid sleep 601 & echo $! > outside; sleep 0.1; exit 0");
		expect(job).toMatchObject({ status: "completed", exitCode: 0 });
		// A process that was sent SIGKILL may be seen for a moment longer.
		for (const file of ["inside", "outside"]) {
			const pid = await pidIn(join(folder, file));
			await until(async () => !(await isAlive(pid)));
		}
	});

	it("keeps the beginning and the end of an output that is too long", async () => {
		const { finish } = await startJobs({ maxOutputBytes: 100_000 });
		const job = await finish("echo first; yes 0123456789 | head -n 454546; echo last");
		expect(job).toMatchObject({ status: "completed", exitCode: 0, outputWasCut: true });
		const text = await readFile(job.outputFile, "utf8");
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100_000);
		expect(text.startsWith("first\n0123456789\n")).toBe(true);
		expect(text).toContain("a part of it was thrown away here");
		expect(text.endsWith("0123456789\nlast\n")).toBe(true);
	});

	it("may print a gigabyte: it is completed, its file capped, its last line there, and nothing of it left", {
		timeout: 120_000,
	}, async () => {
		const { finish, ledger } = await startJobs({ maxOutputBytes: 1_000_000 });
		const job = await finish("head -c 1073741824 /dev/zero | tr '\\0' x; echo; echo last");
		expect(job).toMatchObject({ status: "completed", exitCode: 0, outputWasCut: true });
		const { size } = await stat(job.outputFile);
		expect(size).toBeLessThanOrEqual(1_000_000);
		expect(job.outputBytes).toBe(size);
		expect((await readFile(job.outputFile, "utf8")).endsWith("x\nlast\n")).toBe(true);
		expect(ledger.allGroups()).toEqual([]);
	});

	it("is refused where its output cannot be kept, with the folder named, and the rest still works", async () => {
		const folder = await temporaryFolder();
		await writeFile(join(folder, "file"), "");
		let where = join(folder, "file", "below");
		const { run, finish, jobs } = await startJobs({ outputPath: (_starter, id) => join(where, `${id}.txt`) });
		await expect(run("echo never")).rejects.toThrow(where);
		expect(jobs.list().filter(({ status }) => status === "running")).toEqual([]);
		where = folder;
		expect(await finish("echo again")).toMatchObject({ status: "completed", exitCode: 0 });
	});

	it("is told that the disk is full by its own exit code and output, and its record stands", async () => {
		const { finish } = await startJobs({ outputPath: () => "/dev/full" });
		expect(await finish("echo something || exit 7")).toMatchObject({ status: "failed", exitCode: 7, outputBytes: 0 });
	});

	it("tells once that it seems to wait for input", async () => {
		const { run, jobs, announced } = await startJobs();
		const { id } = await run("printf 'Overwrite the file? [y/N] '; sleep 600");
		await until(() => jobs.get(id)?.waitsForInput !== undefined);
		expect(jobs.get(id)).toMatchObject({ status: "running", waitsForInput: "Overwrite the file? [y/N]" });
		await jobs.stop(id, "enough");
		await until(() => announced.length === 2);
		expect(announced.map(({ status, waitsForInput }) => [status, waitsForInput])).toEqual([
			["running", "Overwrite the file? [y/N]"],
			["killed", undefined],
		]);
	});

	it("is refused in a folder that does not exist, and is on record as failed", async () => {
		const { jobs } = await startJobs();
		const started = jobs.start({ command: "true", cwd: "/does/not/exist", starters: ["lead"] });
		await expect(started).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
		expect(jobs.list()).toMatchObject([{ status: "failed", reason: expect.stringContaining("/does/not/exist") }]);
	});

	it("is refused beyond the limit", async () => {
		const { run } = await startJobs({ maxRunning: 1 });
		await run("sleep 600");
		await expect(run("sleep 600")).rejects.toThrow("1 background jobs are running already. Stop one with job_stop");
	});

	it("ends with the session, and its record says so", async () => {
		const { run, jobs, store, announced } = await startJobs();
		const { id } = await run("sleep 600");
		await jobs.close("the session ended");
		expect(jobs.get(id)).toMatchObject({ status: "killed", reason: "the session ended" });
		expect(announced).toHaveLength(1);
		await expect(run("true")).rejects.toMatchObject({ code: "ERR_CLOSED" });
		expect(createJobStore(store).list(SESSION)).toMatchObject([{ id, status: "killed" }]);
	});
});
