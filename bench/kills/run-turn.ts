// One `clowder -p`, from its start to its end or its death.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/lib/clock.ts";

// Built flat into dist, beside the CLI.
const CLI = fileURLToPath(new URL("./cli.js", import.meta.url));

export interface TurnOptions {
	readonly cwd: string;
	readonly url: string;
	readonly prompt: string;
	readonly goesOn: boolean;
	/** After its start; undefined = it may end by itself. */
	readonly killAfterMs?: number | undefined;
}

export interface TurnEnd {
	readonly code: number | null;
	readonly wasKilled: boolean;
	readonly stderr: string;
	readonly elapsedMs: number;
}

export function runTurn({ cwd, url, prompt, goesOn, killAfterMs }: TurnOptions): Promise<TurnEnd> {
	const startedAt = systemClock.monotonicMs();
	const args = ["-p", ...(goesOn ? ["-c"] : []), prompt, "--permission-mode", "bypassPermissions"];
	const child = spawn(process.execPath, [CLI, ...args], {
		cwd,
		env: { PATH: process.env.PATH ?? "", HOME: cwd, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-bench" },
		stdio: ["ignore", "ignore", "pipe"],
	});
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	const kill = killAfterMs === undefined ? undefined : systemClock.after(killAfterMs, () => child.kill("SIGKILL"));
	return new Promise((resolve) => {
		child.once("close", (code, signal) => {
			kill?.cancel();
			resolve({ code, wasKilled: signal === "SIGKILL", stderr, elapsedMs: systemClock.monotonicMs() - startedAt });
		});
	});
}
