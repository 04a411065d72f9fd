// Whether a folder takes new files at all. LMDB maps its files into memory: where the disk, the quota or a limit leaves
// no room for them, it does not fail but takes the process down.

import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../lib/ids.ts";
import { stateDirError } from "./state-dir.ts";

/** What a new state file and its lock need, several times over. */
const ROOM_BYTES = 256 * 1024;

/** @throws ClowderError ERR_STATE_DIR */
export async function assertRoom(folder: string): Promise<void> {
	const path = join(folder, newId(".room"));
	try {
		const file = await open(path, "wx", 0o600);
		try {
			await file.writeFile(Buffer.alloc(ROOM_BYTES));
		} finally {
			await file.close();
			await unlink(path);
		}
	} catch (thrown) {
		throw stateDirError(folder, thrown);
	}
}
