// What a person sees: one-line progress and one-line errors, on stderr only. stdout belongs to the module that runs.

import { fileURLToPath } from "node:url";

/** The checkout's folder. */
export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[/\\]$/, "");

/** A failure a person can act on. `output` is shown above the message: what the failed program printed. */
export class ReadyError extends Error {
	constructor(message, output = "") {
		super(message);
		this.output = output;
	}
}

export function say(line) {
	process.stderr.write(`clowder: ${line}\n`);
}

/** Ends the process with exit code 1 and one readable line. */
export function failWith(error) {
	if (error.output) process.stderr.write(`${error.output.trimEnd()}\n\n`);
	say(String(error.message).split("\n")[0]);
	process.exit(1);
}

/** Runs a step and reports how long it took. */
export async function timed(label, done, step) {
	say(`${label} ...`);
	const start = performance.now();
	const result = await step();
	say(`${done} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
	return result;
}
