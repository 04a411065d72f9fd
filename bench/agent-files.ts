// How well the agent files of a folder load: npm run bench -- agent-files FOLDER.
// Prints the figures and every refusal; exits 1 below 99 %.

import { resolve } from "node:path";
import { readAgentFile } from "../src/config/agent-files.ts";
import { formatFault } from "../src/config/fault.ts";
import { createFileCache } from "../src/config/file-cache.ts";
import { listMarkdownFiles } from "../src/config/list-files.ts";
import { helpIfWanted, leave } from "./support/arguments.ts";

helpIfWanted("agent-files");
const folder = process.argv[2] ?? leave("agent-files", 2, "The folder is missing.");
const started = performance.now();
const files = createFileCache();
const { paths, faults } = await listMarkdownFiles(resolve(folder));
const problems = faults.map(formatFault);
const names = new Set<string>();
let loaded = 0;
for (const path of paths) {
	const reading = await readAgentFile(path, "user", files);
	problems.push(...reading.faults.map(formatFault));
	if (!reading.agent) continue;
	loaded += 1;
	names.add(reading.agent.name);
}
const share = paths.length === 0 ? 0 : (100 * loaded) / paths.length;
for (const problem of problems) console.log(problem);
console.log(
	`files ${paths.length}, loaded ${loaded} (${share.toFixed(1)} %), names ${names.size}, notes ${problems.length}`,
);
console.log(`${(performance.now() - started).toFixed(0)} ms`);
process.exitCode = share >= 99 ? 0 : 1;
