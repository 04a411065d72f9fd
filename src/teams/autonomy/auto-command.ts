// `/auto` in the REPL. Answers with lines.

import type { TaskBoardHand } from "../../tasks/task-board.ts";
import type { AutoClaimer } from "./auto-claimer.ts";
import type { IdleLoop } from "./idle-loop.ts";

export const AUTO_USAGE = "Usage: /auto [status] | on | off | tasks";

export interface AutoCommandParts {
	readonly loop: Pick<IdleLoop, "isEnabled" | "setEnabled" | "claimedCount" | "completedCount" | "tickIntervalMillis">;
	readonly claimer: Pick<AutoClaimer, "claims">;
	readonly board: Pick<TaskBoardHand, "ready">;
}

/** Runs what stands behind `/auto`. */
export function runAutoCommand(rest: string, parts: AutoCommandParts): string[] {
	switch (rest.trim()) {
		case "":
		case "status":
			return describeStatus(parts);
		case "on":
			return turn(parts, true);
		case "off":
			return turn(parts, false);
		case "tasks":
			return listTasks(parts);
		default:
			return ["Unknown subcommand", AUTO_USAGE];
	}
}

function describeStatus({ loop, board }: AutoCommandParts): string[] {
	const ready = board.ready().length;
	return [
		`Autonomous agents: ${onOrOff(loop.isEnabled())} (tick every ${loop.tickIntervalMillis() / 1_000}s)`,
		`  claimed: ${loop.claimedCount()}  completed: ${loop.completedCount()}`,
		...(ready > 0 ? [`  ${ready} ready task(s) awaiting claim -- /auto tasks`] : []),
	];
}

function turn({ loop }: AutoCommandParts, isEnabled: boolean): string[] {
	loop.setEnabled(isEnabled);
	return [`Autonomous agents: ${onOrOff(isEnabled)}`];
}

function listTasks({ claimer, board }: AutoCommandParts): string[] {
	const ready = board.ready().map(({ id, title }) => `  ${id}  ${title.replace(/\s+/g, " ")}`);
	const claims = claimer.claims().map(({ taskId, owner }) => `  ${taskId} -> ${owner.name}`);
	return ready.length + claims.length === 0 ? ["No ready tasks or active claims."] : [...ready, ...claims];
}

const onOrOff = (isOn: boolean) => (isOn ? "ON" : "OFF");
