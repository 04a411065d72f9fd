// A Messages server in a process of its own, so that what it costs is not counted for either side.

import { fork } from "node:child_process";
import type { ScriptedReply } from "../../src/wire/model-config.ts";
import { startLeanServer } from "./lean-server.ts";

const SERVE = "CLOWDER_BENCH_SERVE";

/** In a process that startServerProcess made: serves, and never returns. Elsewhere it returns at once. */
export async function serveReplies(replies: readonly ScriptedReply[]): Promise<void> {
	if (!process.env[SERVE]) return;
	process.send?.(await startLeanServer(replies));
	await new Promise(() => process.on("disconnect", () => process.exit(0)));
}

/** Runs this program a second time as the server. */
export async function startServerProcess(args: readonly string[]): Promise<{ readonly url: string; stop(): void }> {
	const child = fork(process.argv[1] as string, args, { env: { ...process.env, [SERVE]: "1" } });
	const url = await new Promise<string>((resolve, reject) => {
		child.once("message", (message) => resolve(String(message)));
		child.once("exit", (code) => reject(new Error(`The server's process ended with code ${code}`)));
	});
	return { url, stop: () => void child.disconnect() };
}
