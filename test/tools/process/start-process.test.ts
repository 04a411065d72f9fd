import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import { isGroupAlive, signalGroup } from "../../../src/tools/process/process-group.ts";
import { startProcess } from "../../../src/tools/process/start-process.ts";
import { createTestContext, until } from "../support.ts";

const sh = (command: string, cwd: string) =>
	({ file: "/bin/sh", args: ["-c", command], cwd, stdio: "ignore" }) as const;

it("records the group in the same step as the spawn, with a group of its own", async () => {
	const context = await createTestContext();
	const started = await startProcess(context, sh("sleep 600", context.root));
	expect(context.recorded).toEqual([started.pid]);
	expect(await isGroupAlive(started.pid)).toBe(true);
	await started.end(1_000);
	expect(await started.exited).toEqual({ code: null, signal: "SIGTERM" });
	await until(() => context.groups.size === 0);
});

it("ends a group for good that does not end when asked", async () => {
	const context = await createTestContext();
	const clock = createFakeClock();
	const started = await startProcess(
		{ ...context, clock },
		sh("trap '' TERM; touch ready; while :; do sleep 600; done", context.root),
	);
	await until(() => existsSync(join(context.root, "ready")));
	let ended = false;
	void started.end(1_000).then(() => {
		ended = true;
	});
	while (!ended) await clock.advance(25);
	expect(clock.monotonicMs()).toBeGreaterThanOrEqual(1_000);
	expect(await started.exited).toEqual({ code: null, signal: "SIGKILL" });
	await until(async () => !(await isGroupAlive(started.pid)));
});

it("keeps a group recorded while members of it live, and forgets it then", async () => {
	const context = await createTestContext();
	const clock = createFakeClock();
	const started = await startProcess({ ...context, clock }, sh("sleep 600 & exit 0", context.root));
	expect(await started.exited).toEqual({ code: 0, signal: null });
	await until(() => clock.pending() === 1);
	expect(context.groups.has(started.pid)).toBe(true);
	signalGroup(started.pid, "SIGKILL");
	await until(async () => !(await isGroupAlive(started.pid)));
	await clock.advance(5_000);
	await until(() => context.groups.size === 0);
});

it("says what cannot be started", async () => {
	const context = await createTestContext();
	const missing = { file: "/no/such/program", args: [], cwd: context.root, stdio: "ignore" } as const;
	await expect(startProcess(context, missing)).rejects.toThrow(
		`Error: cannot start /no/such/program in ${context.root}: spawn /no/such/program ENOENT`,
	);
	expect(context.recorded).toEqual([]);
});

it("never signals its own group or all processes", () => {
	for (const pid of [0, 1, -1, 1.5, Number.NaN]) expect(signalGroup(pid, 0)).toBe(false);
});
