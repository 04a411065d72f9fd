// The benchmarks' way in: each tells its usage, and begins nothing with numbers that are none.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { median } from "../../bench/support/arguments.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NAMES = readdirSync(`${ROOT}bench`).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));

function bench(...args: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/bench.mjs", ...args], {
		cwd: ROOT,
		encoding: "utf8",
	});
	return { status, stdout, stderr };
}

describe("a benchmark", () => {
	it.each(NAMES)("%s tells its usage", (name) => {
		expect(bench(name, "--help")).toEqual({
			status: 0,
			stdout: expect.stringContaining(`npm run bench -- ${name}`),
			stderr: "",
		});
	});

	it.each([
		[["many-agents", "many"], "agents must be a whole number from 1 up, not 'many'"],
		[["many-agents", "1", "1", "1", "1", "ftp"], "the model must be http or scripted, not 'ftp'"],
		[["task-board", "1.5"], "PROCESSES must be a whole number from 1 up, not '1.5'"],
		[["kill-cli", "0"], "MOMENTS must be a whole number from 1 up, not '0'"],
		[["claim-latency", "1", "1", "1"], "There is one argument too many: '1'"],
		[["team-messages", "8", "1010"], "perMember must be a multiple of 25, not 1010"],
		[["team-messages", "2", "50", "3"], "kills must be at most 2, not 3"],
		[["agent-files"], "The folder is missing."],
	])("called as %j says what is wrong and how it is called", (args, why) => {
		const { status, stdout, stderr } = bench(...args);
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr.startsWith(`${why}\n`)).toBe(true);
		expect(stderr).toContain(`npm run bench -- ${args[0]}`);
	});
});

it("takes the middle of an even number of values as well", () => {
	expect([median([]), median([3]), median([4, 1]), median([5, 1, 3]), median([1, 10, 2, 4])]).toEqual([
		0, 3, 2.5, 3, 3,
	]);
});
