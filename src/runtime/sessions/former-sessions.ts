// The conversations of a folder, for a person who has not opened one yet.

import { homedir } from "node:os";
import { systemClock } from "../../lib/clock.ts";
import { projectStateDir } from "../../store/state-dir.ts";
import { openStore } from "../../store/store.ts";
import type { SupervisorOptions } from "../options/options.ts";
import { listSessions, type SessionSummary } from "./find-session.ts";

/** The latest active first. @throws ERR_STATE_DIR, ERR_STATE_CORRUPT */
export async function listFormerSessions({
	cwd = process.cwd(),
	stateDir,
	env,
}: Pick<SupervisorOptions, "cwd" | "stateDir" | "env">): Promise<SessionSummary[]> {
	const dir = stateDir ?? (await projectStateDir(env?.HOME ?? homedir(), cwd));
	const store = await openStore({ stateDir: dir, clock: systemClock });
	try {
		return await listSessions(store, cwd);
	} finally {
		await store.close();
	}
}
