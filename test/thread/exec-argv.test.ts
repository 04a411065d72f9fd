import { expect, test } from "vitest";
import { threadExecArgv } from "../../src/thread/exec-argv.ts";

test("lets threads inherit the host's flags where they can", () => {
	expect(threadExecArgv([])).toBeUndefined();
	expect(threadExecArgv(["--max-old-space-size=500", "-e", "--input"])).toBeUndefined();
});

test("keeps what loads modules from a host that was given as text", () => {
	const flags = [
		"--import",
		"./hooks.mjs",
		"--conditions=dev",
		"--title=x",
		"--max-old-space-size=500",
		"-r",
		"./early.cjs",
	];
	expect(threadExecArgv(["--input-type=module", ...flags, "-e", "import('clowder')"])).toEqual([
		"--import",
		"./hooks.mjs",
		"--conditions=dev",
		"-r",
		"./early.cjs",
	]);
	expect(threadExecArgv(["--input-type=module"])).toEqual([]);
});
