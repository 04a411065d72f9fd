// npm run check [-- NAMES...]: every static check, two at a time, one line each; output only of what failed.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "./ready/report.mjs";

const CHECKS = [
	{ name: "types", bin: "typescript/bin/tsc", args: ["-p", "."] },
	{ name: "lint", bin: "@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings", "--max-diagnostics=50"] },
	{
		name: "rooms",
		bin: "dependency-cruiser/bin/dependency-cruise.mjs",
		args: ["--config", ".dependency-cruiser.mjs", "--output-type", "err-long", "src", "workers"],
	},
	{ name: "unused", bin: "knip/bin/knip.js", args: ["--no-progress"] },
	{ name: "package", bin: "publint/src/cli.js", args: ["--strict"] },
];

function runCheck({ name, bin, args }) {
	const start = performance.now();
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [join(root, "node_modules", bin), ...args], {
			cwd: root,
			env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}) },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding("utf8");
			stream.on("data", (text) => {
				output += text;
			});
		}
		child.on("close", (code) => {
			const seconds = ((performance.now() - start) / 1000).toFixed(1);
			console.log(`${code === 0 ? "ok  " : "FAIL"} ${name.padEnd(8)} ${seconds} s`);
			resolve({ name, passed: code === 0, output });
		});
	});
}

async function runAll(checks) {
	const waiting = [...checks];
	const results = [];
	const lane = async () => {
		for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await runCheck(check));
	};
	await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
	return results;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
	console.error(`There is no check '${unknown[0]}'. Checks: ${CHECKS.map(({ name }) => name).join(", ")}`);
	process.exit(2);
}
const results = await runAll(CHECKS.filter(({ name }) => names.length === 0 || names.includes(name)));
const failed = results.filter(({ passed }) => !passed);
for (const { name, output } of failed) console.log(`\n--- ${name} ---\n${output.trim()}`);
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.map(({ name }) => name).join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
