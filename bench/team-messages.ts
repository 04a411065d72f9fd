// Teammates that write to each other while some of them are killed: is every acknowledged message in exactly one
// committed history, in the order of its sender?
//
//   npm run bench -- team-messages [members=8] [perMember=1000] [kills=20]

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leave, readNumbers } from "./support/arguments.ts";
import { runChat } from "./team/chat.ts";

const [members = 8, perMember = 1_000, kills = 20] = readNumbers("team-messages", [
	{ name: "members", fallback: 8, least: 2 },
	{ name: "perMember", fallback: 1_000, least: 50 },
	{ name: "kills", fallback: 20, least: 0 },
]);
// Messages are sent 25 at a time, and each kill comes at the end of a batch of its own.
if (members > 48) leave("team-messages", 2, "members must be at most 48: a team has no room for more");
if (perMember % 25 !== 0) leave("team-messages", 2, `perMember must be a multiple of 25, not ${perMember}`);
const mostKills = members * (perMember / 25 - 1);
if (kills > mostKills) leave("team-messages", 2, `kills must be at most ${mostKills}, not ${kills}`);
const folder = await mkdtemp(join(tmpdir(), "clowder-bench-"));
const report = await runChat({
	folder,
	fixtures: new URL("../test/fixtures/", import.meta.url),
	members,
	perMember,
	kills,
});
console.log(`${members} teammates, ${perMember} messages each, killed ${report.deaths} times (${kills} wanted)`);
console.log(`acknowledged ${report.acknowledged}, refused ${report.refused}, sender killed ${report.unanswered}`);
console.log(`read ${report.read}, in ${report.seconds.toFixed(1)} s, at most ${report.peakRssMb.toFixed(0)} MiB`);
for (const fault of report.faults.slice(0, 20)) console.log(`FAULT ${fault}`);
console.log(report.faults.length === 0 ? "Nothing lost, doubled or out of order." : `${report.faults.length} faults`);
await rm(folder, { recursive: true, force: true });
process.exitCode = report.faults.length === 0 && report.deaths === kills ? 0 : 1;
