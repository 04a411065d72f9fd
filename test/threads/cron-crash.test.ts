import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createScheduleStore } from "../../src/cron/schedule-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/store.ts";
import { loadTranscript } from "../../src/store/transcripts.ts";
import { temporaryFolder, until } from "../support/supervisor.ts";

const PROCESS = fileURLToPath(new URL("../fixtures/cron-process.mjs", import.meta.url));

/** A process with a supervisor of its own. */
function start(project: { readonly cwd: string; readonly stateDir: string }, part: string) {
	const child = spawn(process.execPath, [PROCESS, JSON.stringify({ ...project, part })], {
		stdio: ["pipe", "ignore", "pipe"],
	});
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve([signal ?? code, stderr])));
	return { ended, end: () => child.stdin.end() };
}

it.each(["die-when-saved", "die-at-prompt-started", "die-at-history", "die-at-prompt-finished"])(
	"delivers what was due when its process was killed once, and only what is durable (%s)",
	async (part) => {
		const cwd = await temporaryFolder();
		const project = { cwd, stateDir: join(cwd, ".state") };
		expect(await start(project, part).ended).toEqual(["SIGKILL", ""]);

		const store = await openStore({ stateDir: project.stateDir, clock: systemClock });
		onTestFinished(() => store.close());
		const schedules = createScheduleStore(store);
		// One may have been read before.
		expect(schedules.deliveries().length).toBeGreaterThanOrEqual(1);
		const next = start(project, "go-on");
		await until(() => schedules.deliveries().length === 0);
		next.end();
		expect(await next.ended).toEqual([0, ""]);

		const { messagesJson } = await loadTranscript(store.transcriptPath("one", "lead"));
		const delivered = [...messagesJson.join().matchAll(/<scheduled-prompt .*?((?:RECURRING|ONCE) \w+)/g)].map(
			([, prompt]) => prompt,
		);
		expect(delivered.toSorted()).toEqual(["ONCE DURABLE", "RECURRING DURABLE"]);
		expect(schedules.list().map(({ prompt }) => prompt)).toEqual(["RECURRING DURABLE"]);
	},
);
