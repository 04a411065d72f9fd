// Finds the session that is to be gone on with.

import { ClowderError } from "../../errors.ts";
import type { SessionRecord } from "../../store/sessions.ts";
import type { Store } from "../../store/store.ts";

/** What `resume` takes for the session that was last active in this folder. */
export const LATEST = "latest";
const LEAD = "lead";

export interface SessionSummary {
	readonly id: string;
	/** The first prompt's beginning. */
	readonly title: string;
	/** Milliseconds since the Unix epoch. */
	readonly lastActiveAt: number;
}

/** @throws ERR_UNKNOWN_SESSION */
export async function findSession(store: Store, wanted: string, cwd: string): Promise<SessionRecord> {
	return wanted === LATEST ? findLatest(store, cwd) : findById(store, wanted);
}

/** Sessions of a folder in which something was said, the latest active first. */
export async function listSessions(store: Store, cwd: string): Promise<SessionSummary[]> {
	const found: SessionSummary[] = [];
	for (const session of store.sessions.list()) {
		if (session.cwd !== cwd || !(await store.hasTranscript(session.id, LEAD))) continue;
		found.push({ id: session.id, title: session.title ?? "(no title)", lastActiveAt: session.lastActiveAt });
	}
	return found;
}

async function findLatest(store: Store, cwd: string): Promise<SessionRecord> {
	for (const session of store.sessions.list()) {
		if (session.cwd === cwd && (await store.hasTranscript(session.id, LEAD))) return session;
	}
	throw new ClowderError("ERR_UNKNOWN_SESSION", `There is no conversation in ${cwd} to go on with`, {
		remedy: "Start one without the option `resume`",
	});
}

/** By id, or by the beginning of one that no other has. */
function findById(store: Store, wanted: string): SessionRecord {
	const exact = store.sessions.get(wanted);
	const named = wanted.length > 128 ? `${wanted.slice(0, 128)}…` : wanted;
	if (exact) return exact;
	const alike = wanted === "" ? [] : store.sessions.list().filter(({ id }) => id.startsWith(wanted));
	const [only] = alike;
	if (only && alike.length === 1) return only;
	throw new ClowderError(
		"ERR_UNKNOWN_SESSION",
		alike.length > 1
			? `${alike.length} sessions have an id that begins with '${named}'`
			: `No session of this project has the id '${named}'`,
		{ remedy: "`supervisor.sessions()` lists them" },
	);
}
