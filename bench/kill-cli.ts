// SIGKILL for the CLI at random moments of one long conversation with background jobs, subagents and schedules.
// Usage: npm run bench -- kill-cli [MOMENTS] (200 if absent). After every kill the conversation is gone on with, against
// a server that checks that each call has its result. Exits 1 when anything acknowledged is missing or doubled.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkHistory, createLedger } from "./kills/check-history.ts";
import { runTurn } from "./kills/run-turn.ts";
import { startScriptedServer } from "./kills/scripted-server.ts";

const moments = Number(process.argv[2] ?? 200);

const cwd = mkdtempSync(join(tmpdir(), "clowder-kill-"));
const server = await startScriptedServer();
const ledger = createLedger();
const troubles: string[] = [];
let killed = 0;
/** A kill comes up to so long after the start: the time of the first turn, which is let be. */
let turnMs = 0;
try {
	for (let round = 1; killed < moments; round++) {
		const isFirst = round === 1;
		const prompt = `ROUND-${round}.`;
		const afterMs = isFirst ? undefined : Math.round(Math.random() * turnMs * 0.8);
		const turn = await runTurn({ cwd, url: server.url, prompt, goesOn: !isFirst, killAfterMs: afterMs });
		if (isFirst) turnMs = turn.elapsedMs;
		if (turn.wasKilled) killed += 1;
		else ledger.acknowledge(prompt);

		const check = `CHECK-${round}.`;
		const again = await runTurn({ cwd, url: server.url, prompt: check, goesOn: true });
		if (again.code !== 0) troubles.push(`round ${round}: exit ${again.code}: ${again.stderr.trim()}`);
		else ledger.acknowledge(check);
		troubles.push(...checkHistory(server.lastHistory(), ledger, check).map((trouble) => `round ${round}: ${trouble}`));
		if (round % 10 === 0) console.log(`${killed} of ${moments} kills in ${round} rounds, ${troubles.length} troubles`);
	}
	for (const trouble of troubles) console.log(trouble);
	console.log(`${killed} kills, ${ledger.facts()} acknowledged facts, ${troubles.length} troubles`);
	process.exitCode = troubles.length === 0 ? 0 : 1;
} finally {
	await server.close();
	rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
}
