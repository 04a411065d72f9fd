import { AutoClaimer } from "../../../src/teams/autonomy/auto-claimer.ts";
import { type AutonomousConfig, createAutonomousConfig } from "../../../src/teams/autonomy/autonomous-config.ts";
import { ClaimTracker } from "../../../src/teams/autonomy/claim-tracker.ts";
import { setUpBoard } from "../../tasks/setup.ts";
import { FakeTeam } from "./fake-team.ts";

/** A real board, a team without threads, and a claimer between them. */
export async function setUpClaimer(over: Partial<AutonomousConfig> = {}) {
	const { board, store, clock } = await setUpBoard();
	const team = new FakeTeam();
	const tracker = new ClaimTracker();
	const config = createAutonomousConfig(over);
	const claimer = new AutoClaimer({ board, team, tracker, config, clock });
	const create = async (...titles: readonly string[]) => {
		for (const title of titles) await board.create({ title });
	};
	/** One round, in short: `t1 claimed by researcher`. */
	const tick = async (claim = true) => {
		const { completed, returned, claimed, failures } = await claimer.tick({ claim });
		const name = (what: string) => (entry: { readonly taskId: string; readonly teammate: string }) =>
			`${entry.taskId} ${what} by ${entry.teammate}`;
		return [
			...completed.map(name("completed")),
			...returned.map(name("given back")),
			...claimed.map(name("claimed")),
			...failures.map(String),
		];
	};
	const statusOf = (id: string) => board.get(id)?.status;
	return { board, store, clock, team, tracker, config, claimer, create, tick, statusOf };
}
