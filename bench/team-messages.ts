// Teammates that write to each other while some of them are killed: is every acknowledged message in exactly one
// committed history, in the order of its sender?
//
//   npm run bench -- team-messages [members=8] [perMember=1000] [kills=20]

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChat } from "./team/chat.ts";

const [members = 8, perMember = 1_000, kills = 20] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "clowder-bench-"));
const report = await runChat({
	folder,
	fixtures: new URL("../test/fixtures/", import.meta.url),
	members,
	perMember,
	kills,
});
console.log(`${members} teammates, ${perMember} messages each, ${report.deaths} of them killed on the way`);
console.log(`acknowledged ${report.acknowledged}, refused ${report.refused}, sender killed ${report.unanswered}`);
console.log(`read ${report.read}, in ${report.seconds.toFixed(1)} s, at most ${report.peakRssMb.toFixed(0)} MiB`);
for (const fault of report.faults.slice(0, 20)) console.log(`FAULT ${fault}`);
console.log(report.faults.length === 0 ? "Nothing lost, doubled or out of order." : `${report.faults.length} faults`);
await rm(folder, { recursive: true, force: true });
process.exitCode = report.faults.length === 0 ? 0 : 1;
