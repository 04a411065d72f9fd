// Runs a program quietly. Its output is kept and returned; it dies with this process on Ctrl-C and SIGTERM.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./report.mjs";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Resolves with the exit code (127 when the program cannot be started) and everything it printed. */
export function runProgram(command, args, env = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			cwd: root,
			env: { ...process.env, ...env },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		let interrupted;
		const forward = (signal) => {
			interrupted = signal;
			child.kill(signal);
		};
		const finish = (code) => {
			for (const signal of FORWARDED) process.off(signal, forward);
			if (interrupted) process.exit(128 + constants.signals[interrupted]);
			resolve({ code, output });
		};
		for (const signal of FORWARDED) process.on(signal, forward);
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding("utf8");
			stream.on("data", (text) => {
				output += text;
			});
		}
		child.once("error", (error) => {
			output += `${command}: ${error.message}\n`;
			finish(127);
		});
		child.once("close", (code) => finish(code ?? 1));
	});
}
