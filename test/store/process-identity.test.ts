import { expect, test } from "vitest";
import { identifySelf, isProcessAlive } from "../../src/store/process-identity.ts";
import { startChild } from "./child.ts";

test("knows itself to be alive", async () => {
	expect(await isProcessAlive(await identifySelf())).toBe(true);
});

test.skipIf(process.platform === "win32")("tells another process that has the same pid", async () => {
	expect(await isProcessAlive({ ...(await identifySelf()), startedAt: "long ago" })).toBe(false);
});

test("tells that a process has ended", async () => {
	const child = startChild(process.execPath, ["-e", ""]);
	const pid = child.process.pid ?? 0;
	await child.ended;
	expect(await isProcessAlive({ pid, startedAt: "" })).toBe(false);
});
