// What is going on, in lines that are rewritten in place: each subagent, and below them the lead's turn. A finished
// subagent's line is printed for good.

import { type Clock, systemClock, type TimerHandle } from "../../lib/clock.ts";
import type { Lead } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { formatProgress } from "../../subagents/progress.ts";
import type { RunRecord } from "../../wire/run.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";

const REFRESH_MS = 100;
/** A turn that is over sooner gets no line. */
const QUIET_MS = 1_000;

export interface ProgressOptions {
	/** Whose turns have a line. @default nobody's */
	readonly lead?: Pick<Lead, "on">;
	/** The turn waits for the person. */
	isAsking?(): boolean;
	readonly clock?: Clock;
}

export interface ProgressView {
	stop(): void;
}

/** Shows every subagent of a supervisor, and each teammate that comes, until stopped. */
export function showProgress(
	supervisor: Pick<Supervisor, "status" | "on" | "team">,
	region: Pick<LiveRegion, "update" | "print" | "clear">,
	{ lead, isAsking = () => false, clock = systemClock }: ProgressOptions = {},
): ProgressView {
	let timer: TimerHandle | undefined;
	/** When the lead's turn began. */
	let turnSince: number | undefined;

	function turnLine(): string[] {
		const elapsed = turnSince === undefined || isAsking() ? 0 : clock.now() - turnSince;
		return elapsed < QUIET_MS ? [] : [`  working ... ${Math.floor(elapsed / 1000)}s (Esc interrupts)`];
	}

	function watch(): void {
		timer ??= clock.every(REFRESH_MS, draw);
	}

	function draw(): void {
		const live = supervisor.status().runs.filter((run) => run.kind === "subagent");
		const running = live.filter((run) => run.status === "RUNNING");
		const waiting = live.filter((run) => run.status === "PENDING").length;
		const lines = running.map((run) => plainText(formatProgress(run, clock.now())));
		if (waiting > 0) lines.push(`  ${waiting} more waiting for a free slot`);
		region.update([...lines, ...turnLine()]);
		if (live.length > 0 || turnSince !== undefined) return;
		timer?.cancel();
		timer = undefined;
	}

	const unsubscribe = supervisor.on("run-changed", (record: RunRecord) => {
		if (record.kind !== "subagent") return;
		const ended = record.status === "COMPLETED" || record.status === "FAILED";
		if (ended) region.print(`${plainText(formatProgress(record, clock.now()))}\n`);
		watch();
		if (ended) draw();
	});
	const offLead = lead?.on(({ type }) => {
		if (type === "prompt-started") {
			turnSince = clock.now();
			watch();
		} else if (type === "prompt-finished" || type === "ended") {
			turnSince = undefined;
			draw();
		}
	});
	const offSpawned = supervisor.team.on("spawned", ({ name }) =>
		region.print(`🤖 spawn teammate '${plainText(name)}' ...\n`),
	);
	return {
		stop: () => {
			unsubscribe();
			offSpawned();
			offLead?.();
			timer?.cancel();
			region.clear();
		},
	};
}
