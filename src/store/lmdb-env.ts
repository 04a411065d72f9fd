// Opens the LMDB environment of a state folder; the only file that calls lmdb's `open`.
// A new one is built beside its place and moved there in one step, so a data file in its place is either
// whole or damaged, never half made.

import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { ClowderError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { assertRoom } from "./disk-room.ts";
import { findLmdbFault } from "./lmdb-check.ts";
import { createOpenFence } from "./open-fence.ts";
import { stateDirError } from "./state-dir.ts";

/** Most named tables in one environment. */
const MAX_TABLES = 64;

/** Values are JSON texts, so that one unreadable record can be told from an unreadable file. */
export type Root = RootDatabase<string, Key>;
export type Key = string | (string | number)[];

/**
 * Opens the environment in `folder`, or creates it with what `fill` puts into it. Several processes may have
 * it open.
 *
 * @throws ClowderError ERR_STATE_DIR, ERR_STATE_CORRUPT; a damaged file is left as it is.
 */
export async function openEnvironment(folder: string, fill: (root: Root) => void): Promise<Root> {
	try {
		await assertRoom(dirname(folder));
		if (!(await exists(folder))) await createEnvironment(folder, fill);
		await refuseDamaged(folder);
		return await createOpenFence(folder).open(() => openLmdb(folder));
	} catch (thrown) {
		throw stateDirError(folder, thrown);
	}
}

function openLmdb(folder: string): Root {
	return open<string, Key>({
		path: folder,
		noSubdir: false,
		encoding: "string",
		maxDbs: MAX_TABLES,
		// One commit is one flush: simpler on disk than lmdb's two-step flush, and faster for small commits.
		overlappingSync: false,
		// Upstream: with batching by event turn (write.js, `enqueuedEventTurnBatch`) lmdb 3.5 leaves a promise of its
		// own unhandled when a commit fails, which ends the process. Writes are batched by transaction anyway.
		eventTurnBatching: false,
	});
}

async function createEnvironment(folder: string, fill: (root: Root) => void): Promise<void> {
	const draft = join(dirname(folder), newId(`.new-${basename(folder)}`));
	await mkdir(draft, { mode: 0o700 });
	try {
		const root = openLmdb(draft);
		try {
			fill(root);
		} finally {
			await root.close();
		}
		// Race: another process may have been first; then its environment counts.
		await rename(draft, folder).catch(async (thrown) => {
			if (!(await exists(folder))) throw thrown;
		});
	} finally {
		await rm(draft, { recursive: true, force: true });
	}
}

async function refuseDamaged(folder: string): Promise<void> {
	const file = join(folder, "data.mdb");
	const size = await stat(file).then(
		(found) => found.size,
		() => undefined,
	);
	const fault = size === undefined ? "it is missing" : size === 0 ? "it is empty" : findLmdbFault(file);
	if (fault === undefined) return;
	throw new ClowderError("ERR_STATE_CORRUPT", `The state file ${file} is damaged: ${fault}`, {
		remedy: `Nothing was changed. Restore the folder ${folder} from a backup, or move it away to begin without stored runs, tasks and messages; transcripts are kept elsewhere`,
		details: { path: file, fault },
	});
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		(thrown: NodeJS.ErrnoException) => {
			if (thrown.code === "ENOENT") return false;
			throw thrown;
		},
	);
}
