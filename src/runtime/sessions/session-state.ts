// Whether a session is in use.

import { isProcessAlive } from "../../store/process-identity.ts";
import type { SessionRecord } from "../../store/sessions.ts";

/** Whether a process has this session open now; one that is not on record is open nowhere. */
export async function isSessionOpen(session: SessionRecord | undefined): Promise<boolean> {
	return session !== undefined && session.endedAt === undefined && (await isProcessAlive(session.owner));
}
