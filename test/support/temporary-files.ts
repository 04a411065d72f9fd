// All that tests write to the system's folder for temporary files goes into one folder of its own, which is removed at
// the end of the run, whatever a test that failed has left in it. Run by vitest before the first test.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const HAS_FOLDER = "CLOWDER_TESTS_HAVE_A_FOLDER";

export async function setup(): Promise<(() => Promise<void>) | undefined> {
	// Each project of a run comes by here.
	if (process.env[HAS_FOLDER]) return undefined;
	const folder = await mkdtemp(join(await realpath(tmpdir()), "clowder-tests-"));
	process.env[HAS_FOLDER] = "yes";
	process.env.TMPDIR = folder;
	return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
