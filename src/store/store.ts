// Everything that survives the process: one LMDB environment per project (runs, sessions, mailboxes and the
// tables of other rooms) and a transcript file per agent. Main thread only; several processes may share it.

import { join } from "node:path";
import type * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import { runRecordSchema } from "../wire/run.ts";
import { createFaultLog, type StoreFault } from "./faults.ts";
import { bringUpToDate, stampVersion } from "./format-version.ts";
import { openEnvironment, type Root } from "./lmdb-env.ts";
import { createMailboxStore, type MailboxStore, mailRecordSchema } from "./mailboxes.ts";
import { createRunStore, type RunStore, runMarkSchema } from "./runs.ts";
import { createSessionStore, type SessionStore, sessionRecordSchema } from "./sessions.ts";
import { makePrivateDir, stateDirError } from "./state-dir.ts";
import { createTable, createTransactions, type Table } from "./table.ts";
import { copyTranscripts, isFilled, openTranscript, type Transcript } from "./transcripts.ts";

export interface StoreOptions {
	/** Absolute; created with mode 0700 when missing. See `projectStateDir`. */
	readonly stateDir: string;
	readonly clock: Clock;
	/** Hears once of each record that could not be read. */
	readonly onFault?: (fault: StoreFault) => void;
}

export interface Store {
	readonly stateDir: string;
	readonly runs: RunStore;
	readonly sessions: SessionStore;
	/** The mailboxes of one bus; `scope` is its session's id. */
	mailboxes(scope: string): MailboxStore;
	/** A table of another room: opened, or created, at the first call with its name. */
	table<T>(name: string, schema: z.ZodType<T>): Table<T>;
	/** See `Transactions.run`: the one way to change tables. */
	transaction<R>(action: () => R): Promise<R>;
	/** Where the transcript of a run is kept. */
	transcriptPath(sessionId: string, runId: string): string;
	openTranscript(path: string): Promise<Transcript>;
	/** Whether something was said in a conversation. */
	hasTranscript(sessionId: string, conversation: string): Promise<boolean>;
	/** Copies the conversations of one session, those of subagents left out, to another that has none. */
	copyTranscripts(fromSession: string, toSession: string): Promise<void>;
	/** Records that could not be read so far. */
	faults(): readonly StoreFault[];
	/** Waits for writes under way, then closes. Transcripts are closed by whoever opened them. */
	close(): Promise<void>;
}

/**
 * Opens the state of a project.
 *
 * @throws ClowderError ERR_STATE_DIR for a folder that cannot be used, ERR_STATE_CORRUPT for a damaged state
 * file (left as it is), ERR_STATE_VERSION for one that a newer version wrote.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
	await makePrivateDir(options.stateDir);
	const folder = join(options.stateDir, "db");
	const root = await openEnvironment(folder, stampVersion);
	try {
		return onEnvironment(root, folder, options);
	} catch (thrown) {
		await root.close();
		throw stateDirError(folder, thrown);
	}
}

function onEnvironment(root: Root, folder: string, { stateDir, clock, onFault }: StoreOptions): Store {
	bringUpToDate(root, folder);
	const transactions = createTransactions(root, folder);
	const faults = createFaultLog(onFault);
	const tables = new Map<string, Table<unknown>>();

	function table<T>(name: string, schema: z.ZodType<T>): Table<T> {
		const known = tables.get(name) ?? createTable<unknown>({ root, path: folder, transactions, faults, name, schema });
		tables.set(name, known);
		return known as Table<T>;
	}

	const sessionTable = table("sessions", sessionRecordSchema);
	const mail = table("mail", mailRecordSchema);
	const runTables = {
		runs: table("runs", runRecordSchema),
		bySession: table("runs-by-session", runMarkSchema),
		open: table("runs-open", runMarkSchema),
		sessions: sessionTable,
	};
	const transcriptDir = (sessionId: string) => join(stateDir, "transcripts", safeName(sessionId));
	const transcriptPath = (sessionId: string, runId: string) =>
		join(transcriptDir(sessionId), `${safeName(runId)}.jsonl`);
	let closing: Promise<void> | undefined;

	return {
		stateDir,
		runs: createRunStore(runTables, transactions, clock),
		sessions: createSessionStore(sessionTable, transactions, clock),
		mailboxes: (scope) => createMailboxStore(mail, transactions, scope),
		table,
		transaction: (action) => transactions.run(action),
		transcriptPath,
		openTranscript: (path) => openTranscript(path, { clock }),
		hasTranscript: (sessionId, conversation) => isFilled(transcriptPath(sessionId, conversation)),
		copyTranscripts: (from, to) => copyTranscripts(transcriptDir(from), transcriptDir(to)),
		faults: () => faults.list(),
		close() {
			closing ??= transactions.end().then(() => root.close());
			return closing;
		},
	};
}

/** Ids may come from the command line: one that is no plain file name must not lead out of the folder. */
function safeName(id: string): string {
	const plain = id.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 200);
	return /^\.*$/.test(plain) ? `_${plain}` : plain;
}
