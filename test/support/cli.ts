import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface CliRun {
	readonly child: ChildProcess;
	stdout(): string;
	stderr(): string;
	/** Exit code, or the signal's name. */
	readonly ended: Promise<number | string>;
}

export interface CliOptions {
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string;
}

/** Starts the built CLI without any credentials of the person who runs the tests. */
export function startCli(args: readonly string[], { cwd, env, input }: CliOptions): CliRun {
	const child = spawn(process.execPath, [CLI, ...args], {
		cwd,
		env: { PATH: process.env.PATH ?? "", HOME: cwd, ...env },
		stdio: ["pipe", "pipe", "pipe"],
	});
	let out = "";
	let err = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		out += chunk;
	});
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		err += chunk;
	});
	child.stdin.on("error", () => {});
	child.stdin.end(input ?? "");
	const ended = new Promise<number | string>((resolve) => {
		child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	return { child, stdout: () => out, stderr: () => err, ended };
}

/** Runs it to its end. */
export async function runCli(args: readonly string[], options: CliOptions) {
	const run = startCli(args, options);
	const code = await run.ended;
	return { code, stdout: run.stdout(), stderr: run.stderr() };
}
