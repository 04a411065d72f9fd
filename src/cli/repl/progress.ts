// The progress lines of subagents: live ones rewritten in place, finished ones printed for good.

import { type Clock, systemClock, type TimerHandle } from "../../lib/clock.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { formatProgress } from "../../subagents/progress.ts";
import type { RunRecord } from "../../wire/run.ts";
import type { LiveRegion } from "../terminal/live-region.ts";
import { plainText } from "../terminal/plain-text.ts";

const REFRESH_MS = 100;

export interface ProgressView {
	stop(): void;
}

/** Shows every subagent of a supervisor, and each teammate that comes, until stopped. */
export function showProgress(supervisor: Supervisor, region: LiveRegion, clock: Clock = systemClock): ProgressView {
	let timer: TimerHandle | undefined;

	function draw(): void {
		const live = supervisor.status().runs.filter((run) => run.kind === "subagent");
		const running = live.filter((run) => run.status === "RUNNING");
		const waiting = live.filter((run) => run.status === "PENDING").length;
		const lines = running.map((run) => plainText(formatProgress(run, clock.now())));
		region.update(waiting === 0 ? lines : [...lines, `  ${waiting} more waiting for a free slot`]);
		if (live.length > 0) return;
		timer?.cancel();
		timer = undefined;
	}

	const unsubscribe = supervisor.on("run-changed", (record: RunRecord) => {
		if (record.kind !== "subagent") return;
		const ended = record.status === "COMPLETED" || record.status === "FAILED";
		if (ended) region.print(`${plainText(formatProgress(record, clock.now()))}\n`);
		timer ??= clock.every(REFRESH_MS, draw);
		if (ended) draw();
	});
	const offSpawned = supervisor.team.on("spawned", ({ name }) =>
		region.print(`🤖 spawn teammate '${plainText(name)}' ...\n`),
	);
	return {
		stop: () => {
			unsubscribe();
			offSpawned();
			timer?.cancel();
			region.clear();
		},
	};
}
