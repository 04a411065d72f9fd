// Builds dist with tsup into a folder beside it and swaps the two, so that nobody ever sees half a build.

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { snapshotSources, writeBuildStamp } from "./build-stamp.mjs";
import { writeLicences } from "./licences.mjs";
import { ReadyError, root, timed } from "./report.mjs";
import { runProgram } from "./run-program.mjs";

const dist = join(root, "dist");
// Named by process: what a killed build still writes does not end up in this one.
const next = join(root, `dist.next-${process.pid}`);
const previous = join(root, "dist.previous");

/** Builds dist; `types` adds declarations, which take several times as long as the rest. */
export async function buildDist({ types }) {
	await timed(types ? "building dist with declarations" : "building dist", "built", async () => {
		const snapshot = snapshotSources();
		removeLeftovers();
		mkdirSync(next);
		const { code, output } = await runProgram(process.execPath, [join(root, "node_modules/tsup/dist/cli-default.js")], {
			CLOWDER_OUT_DIR: basename(next),
			CLOWDER_BUILD_TYPES: types ? "1" : "",
			NO_COLOR: "1",
		});
		if (code !== 0) {
			rmSync(next, { recursive: true, force: true });
			throw new ReadyError("the build failed; the reason is above.", output);
		}
		// Written by hand in CommonJS: see the file.
		copyFileSync(join(root, "workers/subagent.cjs"), join(next, "workers/subagent.cjs"));
		if (types) writeLicences(next);
		writeBuildStamp(next, snapshot, { types });
		swapIn();
	});
}

function removeLeftovers() {
	for (const name of readdirSync(root)) {
		if (name.startsWith("dist.next-")) rmSync(join(root, name), { recursive: true, force: true });
	}
}

function swapIn() {
	rmSync(previous, { recursive: true, force: true });
	if (existsSync(dist)) renameSync(dist, previous);
	renameSync(next, dist);
	rmSync(previous, { recursive: true, force: true });
}
