import { Worker } from "node:worker_threads";
import { describe, expect, it, vi } from "vitest";
import { createFakeClock, type FakeClock } from "../../../src/testing/fake-clock.ts";
import { lockNameOf, withFileLock } from "../../../src/tools/files/file-lock.ts";

/** Moves the time on, a little at a time, for as long as something waits for it. */
async function advanceUntilSettled(clock: FakeClock, promise: Promise<unknown>): Promise<void> {
	let settled = false;
	const settle = () => {
		settled = true;
	};
	promise.then(settle, settle);
	while (!settled) await clock.advance(50);
}

const options = () => ({ clock: createFakeClock(), signal: new AbortController().signal });

describe("withFileLock", () => {
	it("runs calls for one file one after another, in order", async () => {
		const steps: string[] = [];
		const work = (name: string) => async () => {
			steps.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			steps.push(`${name} ends`);
		};
		await Promise.all(["a", "b", "c"].map((name) => withFileLock("/one", options(), work(name))));
		expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
	});

	it("lets calls for other files run meanwhile", async () => {
		let release = () => {};
		const held = withFileLock("/one", options(), () => new Promise<void>((resolve) => (release = resolve)));
		expect(await withFileLock("/two", options(), async () => "done")).toBe("done");
		release();
		await held;
	});

	it("goes on after a call that failed", async () => {
		const failed = withFileLock("/one", options(), () => Promise.reject(new Error("no")));
		const next = withFileLock("/one", options(), async () => "next");
		await expect(failed).rejects.toThrow("no");
		expect(await next).toBe("next");
	});
});

describe.runIf(process.platform === "linux")("a lock held by another thread", () => {
	const holder = async (path: string) => {
		const script = `
			const { parentPort, workerData } = require("node:worker_threads");
			require("node:net").createServer().listen(workerData, () => parentPort.postMessage("held"));
		`;
		const worker = new Worker(script, { eval: true, workerData: lockNameOf(path) });
		await new Promise((resolve) => worker.once("message", resolve));
		return worker;
	};

	it("is waited for, and is free when that thread is ended by force", async () => {
		const worker = await holder("/held-by-a-thread");
		const clock = createFakeClock();
		const work = vi.fn(async () => {});
		const waiting = withFileLock("/held-by-a-thread", { ...options(), clock }, work);
		await clock.advance(100);
		expect(work).not.toHaveBeenCalled();
		await worker.terminate();
		await advanceUntilSettled(clock, waiting);
		expect(work).toHaveBeenCalledOnce();
	});

	it("is waited for no longer than five seconds", async () => {
		const worker = await holder("/held-for-good");
		const clock = createFakeClock();
		const waiting = withFileLock("/held-for-good", { ...options(), clock }, async () => "done");
		await advanceUntilSettled(clock, waiting);
		expect(await waiting).toBe("done");
		expect(clock.monotonicMs()).toBeGreaterThanOrEqual(5_000);
		await worker.terminate();
	});

	it("is not waited for after an abort", async () => {
		const worker = await holder("/held-at-abort");
		const clock = createFakeClock();
		const controller = new AbortController();
		const waiting = withFileLock("/held-at-abort", { clock, signal: controller.signal }, async () => "done");
		controller.abort(new Error("stop"));
		await expect(waiting).rejects.toThrow("stop");
		await worker.terminate();
	});
});
