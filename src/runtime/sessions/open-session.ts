// Opens the project's store and the session in it: a new one, one that is gone on with, or a copy of one. Before that,
// whatever processes that are gone have left behind is ended and recorded.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { endInterruptedJobs } from "../../background/interrupted-jobs.ts";
import { ClowderError, messageOf } from "../../errors.ts";
import { isSessionId, newId, SESSION_ID_RULE } from "../../lib/ids.ts";
import { identifySelf } from "../../store/process-identity.ts";
import type { SessionRecord } from "../../store/sessions.ts";
import { makePrivateDir, projectStateDir } from "../../store/state-dir.ts";
import { openStore, type Store } from "../../store/store.ts";
import { endStrays } from "../../supervision/end-strays.ts";
import type { RunRecord } from "../../wire/run.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { findSession } from "./find-session.ts";
import { isSessionOpen } from "./session-state.ts";

const MAX_TITLE_CHARS = 100;

export interface OpenedSession {
	readonly store: Store;
	readonly sessionId: string;
	/** Existing folder of this session's outputs, its real path. */
	readonly outputDir: string;
	/** Runs of former processes that were cut off, recorded as such now. */
	readonly interrupted: readonly RunRecord[];
}

type SessionOptions = Pick<
	ResolvedOptions,
	"cwd" | "homeDir" | "stateDir" | "sessionId" | "resume" | "forkSession" | "clock" | "onWarning"
>;

/** @throws ERR_STATE_DIR, ERR_STATE_CORRUPT, ERR_UNKNOWN_SESSION, ERR_SESSION_IN_USE, ERR_BAD_OPTION */
export async function openSession(options: SessionOptions): Promise<OpenedSession> {
	const { clock, onWarning, cwd } = options;
	const stateDir = options.stateDir ?? (await projectStateDir(options.homeDir, cwd));
	const store = await openStore({
		stateDir,
		clock,
		onFault: (fault) => onWarning(`${fault.place} ${fault.key}: ${fault.reason}`),
	});
	try {
		const interrupted = await store.runs.markInterrupted(isSessionOpen);
		await endStrays(interrupted.map((run) => run.id));
		await endInterruptedJobs({ store, now: () => clock.now(), isSessionOpen, endStrays });
		const sessionId = await chooseSession(store, options);
		const outputDir = join(stateDir, "outputs", sessionId);
		await makePrivateDir(outputDir);
		return { store, sessionId, outputDir: await realpath(outputDir), interrupted };
	} catch (thrown) {
		await store.close();
		throw thrown;
	}
}

/** Keeps what a person needs to find the session again: its first prompt, and when it was last active. */
export function noteActive(store: Store, sessionId: string, prompt: string, onWarning: (text: string) => void): void {
	const title = store.sessions.get(sessionId)?.title ?? prompt.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS);
	store.sessions
		.update(sessionId, { title })
		.catch((thrown: unknown) => onWarning(`The session's title was not saved: ${messageOf(thrown)}`));
}

async function chooseSession(store: Store, options: SessionOptions): Promise<string> {
	const { cwd, resume, forkSession } = options;
	const owner = await identifySelf();
	const former = resume === undefined ? undefined : await findSession(store, resume, cwd);
	if (former && !forkSession) {
		// On record by another version, or by hand: its id becomes the name of a folder.
		if (!isSessionId(former.id)) {
			throw new ClowderError("ERR_BAD_OPTION", `The session '${former.id.slice(0, 128)}' cannot be gone on with`, {
				remedy: `Go on with a copy of it (the option \`forkSession\`): it has to have ${SESSION_ID_RULE}`,
			});
		}
		if (await isSessionOpen(former)) throw inUse(former);
		await store.sessions.takeOver({ id: former.id, cwd, owner }, former);
		return former.id;
	}
	const id = options.sessionId ?? newId("session");
	if (store.sessions.get(id)) {
		throw new ClowderError("ERR_BAD_OPTION", `The session id '${id}' is taken`, {
			remedy: "Go on with that session (resume), or choose another id",
		});
	}
	if (former) await store.copyTranscripts(former.id, id);
	const title = former?.title;
	await store.sessions.start({ id, cwd, owner, ...(title === undefined ? {} : { title }) });
	return id;
}

function inUse({ id, owner }: SessionRecord): ClowderError {
	return new ClowderError("ERR_SESSION_IN_USE", `The session ${id} is open in another process (${owner.pid})`, {
		remedy: "Leave it there, or go on with a copy of it (the option `forkSession`)",
	});
}
