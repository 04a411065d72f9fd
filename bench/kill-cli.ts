// SIGKILL for the CLI at random moments of conversations with background jobs, subagents, a teammate, tasks and schedules.
// Usage: npm run bench -- kill-cli [MOMENTS] (200 if absent). After every kill the conversation is gone on with, against
// a server that checks that each call has its result. Exits 1 when anything acknowledged is missing or doubled.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkLead, checkTeammate } from "./kills/check-history.ts";
import { checkState } from "./kills/check-state.ts";
import { countFacts, createLedger, type Ledger, noteResults } from "./kills/ledger.ts";
import { runTurn, type TurnEnd } from "./kills/run-turn.ts";
import { startScriptedServer } from "./kills/scripted-server.ts";
import { readNumbers } from "./support/arguments.ts";

const [moments = 200] = readNumbers("kill-cli", [{ name: "MOMENTS", fallback: 200 }]);
/** Then another conversation of the same project begins: a history that is never compacted shows every loss. */
const KILLS_PER_CONVERSATION = 25;

const cwd = mkdtempSync(join(tmpdir(), "clowder-kill-"));
const troubles: string[] = [];
let killed = 0;
let round = 0;
let facts = 0;
let ledger: Ledger | undefined;
try {
	while (killed < moments) {
		ledger = createLedger(ledger);
		await converse(ledger, Math.min(moments, killed + KILLS_PER_CONVERSATION));
		const counts = countFacts(ledger);
		// Tasks and schedules are carried from one conversation to the next.
		facts += counts.prompts + counts.jobs + counts.subagents + counts.mail + counts.told;
		console.log(`${killed} of ${moments} kills in ${round} rounds, ${troubles.length} troubles`, counts);
	}
	for (const trouble of troubles) console.log(trouble);
	facts += (ledger?.tasks.size ?? 0) + (ledger?.schedules.size ?? 0);
	console.log(`${killed} kills, ${facts} acknowledged facts, ${troubles.length} troubles`);
	process.exitCode = troubles.length === 0 ? 0 : 1;
} finally {
	rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
}

async function converse(ledger: Ledger, untilKills: number): Promise<void> {
	const server = await startScriptedServer();
	/** How long the last turn took that was let be, as the first one is: the moments of the kills lie within that. */
	let usual = { elapsedMs: 0, workedMs: 0 };
	try {
		for (let isFirst = true; killed < untilKills; isFirst = false) {
			round += 1;
			const prompt = `ROUND-${round}.`;
			const kill = isFirst ? undefined : randomMoment(usual);
			const run = (text: string, goesOn: boolean) => ({
				...{ cwd, url: server.url, prompt: text, goesOn, requested: server.nextRequest() },
			});
			const turn = await runTurn({ ...run(prompt, !isFirst), kill });
			if (turn.wasKilled) killed += 1;
			else {
				noteEnd(prompt, turn, ledger);
				usual = turn;
			}

			const check = `CHECK-${round}.`;
			noteEnd(check, await runTurn(run(check, true)), ledger);
			noteResults(server.lead(), ledger);
			const found = [
				...checkLead(server.lead(), ledger, check),
				...checkTeammate(server.teammate(), ledger),
				...(await checkState(cwd, ledger)),
				...(server.refusals() === 0 ? [] : [`${server.refusals()} requests were refused`]),
			];
			const when = kill ? `killed ${kill.afterMs} ms after its ${kill.since}` : "not killed";
			troubles.push(...found.map((trouble) => `round ${round} (${when}): ${trouble}`));
		}
	} finally {
		await server.close();
	}
}

/** Half of the moments lie in the work that follows the first request: most of a turn's time is its start. */
function randomMoment({ elapsedMs, workedMs }: Pick<TurnEnd, "elapsedMs" | "workedMs">) {
	const since = Math.random() < 0.5 ? ("request" as const) : ("start" as const);
	return { since, afterMs: Math.round(Math.random() * (since === "request" ? workedMs : elapsedMs)) };
}

function noteEnd(prompt: string, turn: TurnEnd, ledger: Ledger): void {
	if (turn.code === 0) ledger.prompts.add(prompt);
	else troubles.push(`${prompt} exit ${turn.code}: ${turn.stderr.trim()}`);
}
