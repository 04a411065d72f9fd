// Builds dist with tsup into a folder beside it and swaps the two, so that nobody ever sees half a build.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { snapshotSources, writeBuildStamp } from "./build-stamp.mjs";
import { ReadyError, root, timed } from "./report.mjs";
import { runProgram } from "./run-program.mjs";

const dist = join(root, "dist");
const next = join(root, "dist.next");
const previous = join(root, "dist.previous");

/** Builds dist; `types` adds declarations, which take several times as long as the rest. */
export async function buildDist({ types }) {
	await timed(types ? "building dist with declarations" : "building dist", "built", async () => {
		const snapshot = snapshotSources();
		rmSync(next, { recursive: true, force: true });
		mkdirSync(next);
		const { code, output } = await runProgram(process.execPath, [join(root, "node_modules/tsup/dist/cli-default.js")], {
			CLOWDER_OUT_DIR: "dist.next",
			CLOWDER_BUILD_TYPES: types ? "1" : "",
			NO_COLOR: "1",
		});
		if (code !== 0) throw new ReadyError("the build failed; the reason is above.", output);
		writeBuildStamp(next, snapshot, { types });
		swapIn();
	});
}

function swapIn() {
	rmSync(previous, { recursive: true, force: true });
	if (existsSync(dist)) renameSync(dist, previous);
	renameSync(next, dist);
	rmSync(previous, { recursive: true, force: true });
}
