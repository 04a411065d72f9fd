// One `clowder -p`, from its start to its end or its death.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { systemClock, type TimerHandle } from "../../src/lib/clock.ts";

// Built flat into dist, beside the CLI.
const CLI = fileURLToPath(new URL("./cli.js", import.meta.url));

export interface TurnOptions {
	readonly cwd: string;
	readonly url: string;
	readonly prompt: string;
	readonly goesOn: boolean;
	/** Undefined = it may end by itself. */
	readonly kill?: { readonly afterMs: number; readonly since: "start" | "request" } | undefined;
	/** Settles when it has made its first request. */
	readonly requested: Promise<void>;
}

export interface TurnEnd {
	readonly code: number | null;
	readonly wasKilled: boolean;
	readonly stderr: string;
	readonly elapsedMs: number;
	/** From its first request on; 0 when it made none. */
	readonly workedMs: number;
}

export function runTurn({ cwd, url, prompt, goesOn, kill, requested }: TurnOptions): Promise<TurnEnd> {
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
	let timer: TimerHandle | undefined;
	let requestedAt: number | undefined;
	const killLater = (afterMs: number) => {
		timer = systemClock.after(afterMs, () => child.kill("SIGKILL"));
	};
	if (kill?.since === "start") killLater(kill.afterMs);
	void requested.then(() => {
		requestedAt = systemClock.monotonicMs();
		if (kill?.since === "request") killLater(kill.afterMs);
	});
	return new Promise((resolve) => {
		child.once("close", (code, signal) => {
			timer?.cancel();
			const endedAt = systemClock.monotonicMs();
			const workedMs = endedAt - (requestedAt ?? endedAt);
			resolve({ code, wasKilled: signal === "SIGKILL", stderr, elapsedMs: endedAt - startedAt, workedMs });
		});
	});
}
