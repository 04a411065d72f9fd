// The numbers that a benchmark is called with. Its usage is the head of its own file, so that it stands in one place.

import { readFileSync } from "node:fs";

export type WantedArgument =
	| {
			readonly name: string;
			readonly fallback: number;
			/** @default 1 */
			readonly least?: number;
	  }
	/** A word between the numbers; its own number is 0. */
	| { readonly name: string; readonly oneOf: readonly string[] };

/** Reads whole numbers in their order; prints the usage and leaves for `--help` and for what is no such number. */
export function readNumbers(bench: string, wanted: readonly WantedArgument[]): number[] {
	const args = process.argv.slice(2);
	helpIfWanted(bench);
	const more = args[wanted.length];
	if (more !== undefined) leave(bench, 2, `There is one argument too many: '${more}'`);
	return wanted.map((argument, index) => {
		const given = args[index];
		if ("oneOf" in argument) {
			if (given === undefined || argument.oneOf.includes(given)) return 0;
			return leave(bench, 2, `${argument.name} must be ${argument.oneOf.join(" or ")}, not '${given}'`);
		}
		const { name, fallback, least = 1 } = argument;
		if (given === undefined) return fallback;
		const number = Number(given);
		if (given.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
		return leave(bench, 2, `${name} must be a whole number from ${least} up, not '${given}'`);
	});
}

/** For `--help`: the usage, and the end. */
export function helpIfWanted(bench: string): void {
	if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) leave(bench, 0);
}

/** Prints why, then the head of the benchmark's file. */
export function leave(bench: string, exitCode: 0 | 2, why?: string): never {
	const say = exitCode === 0 ? console.log : console.error;
	if (why !== undefined) say(`${why}\n`);
	const lines = readFileSync(new URL(`../bench/${bench}.ts`, import.meta.url), "utf8").split("\n");
	const head = lines.slice(
		0,
		lines.findIndex((line) => !line.startsWith("//")),
	);
	for (const line of head) say(line.replace(/^\/\/ ?/, ""));
	process.exit(exitCode);
}

/** The middle one, or between the two middle ones. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return (low + high) / 2;
}
