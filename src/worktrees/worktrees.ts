// The worktrees of one session's agents: made when an agent starts, finished once when it is done, found again after a
// crash. Main thread. Whose an agent's worktree is, and when it is done, is the runtime's to say.

import { realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { SessionRecord } from "../store/sessions.ts";
import { makePrivateDir } from "../store/state-dir.ts";
import type { Store } from "../store/store.ts";
import { checkOut, registerWorktree } from "./add-worktree.ts";
import { finishWorktree, isThere, removeWorktree } from "./finish-worktree.ts";
import { createGit } from "./git.ts";
import { findRepository } from "./repository.ts";
import { type FinishedWorktree, type Worktree, type WorktreeRecord, worktreeName } from "./worktree.ts";
import { createWorktreeStore } from "./worktree-store.ts";

export interface WorktreesOptions {
	/** The session's working folder, absolute. */
	readonly cwd: string;
	/** Where worktrees are put; made when it is needed. */
	readonly folder: string;
	readonly store: Store;
	readonly sessionId: string;
	readonly clock: Clock;
	readonly env: Readonly<Record<string, string | undefined>>;
	onWarning(text: string): void;
}

/** Whether a process has the session open now. */
type IsOpen = (session: SessionRecord | undefined) => Promise<boolean>;

/** Worktrees that are finished at the same time. */
const AT_ONCE = 8;

export interface WantedWorktree {
	/** Whose it is. One that it still had when its session ended, or its process died, is given to it again. */
	readonly id: string;
	/** For people: part of the branch's name. */
	readonly name: string;
	/** The folder whose HEAD it starts from. @default the session's working folder */
	readonly from?: string | undefined;
}

export interface Worktrees {
	/** Whether worktrees can be made here. @throws ERR_NO_REPOSITORY, ERR_GIT */
	check(): Promise<void>;
	/** @throws ERR_NO_REPOSITORY, ERR_GIT, ERR_STATE_DIR, ERR_ABORTED; nothing is left behind then */
	add(wanted: WantedWorktree, signal?: AbortSignal): Promise<Worktree>;
	/**
	 * The agent is done for good, and everything it started is gone: removes the worktree and its branch, unless something was
	 * done in it. Never rejects; asking again gives the same answer.
	 *
	 * @param postponed why it cannot be finished yet; `close` does it then.
	 */
	finish(worktree: Worktree, postponed?: string): Promise<FinishedWorktree>;
	/** Finishes those that processes which are gone have left; resolves with the ones that are kept. */
	finishStale(isOpen: IsOpen): Promise<WorktreeRecord[]>;
	/** Finishes what is left of this session's. */
	close(): Promise<void>;
}

export function createWorktrees(options: WorktreesOptions): Worktrees {
	const { cwd, folder, sessionId, onWarning } = options;
	const git = createGit(options);
	const records = createWorktreeStore(options.store);
	const finishing = new Map<string, Promise<FinishedWorktree>>();
	let registering: Promise<unknown> = Promise.resolve();

	/** One at a time: git's own locks only say no. */
	function inTurn<R>(work: () => Promise<R>): Promise<R> {
		const result = registering.then(work);
		registering = result.catch(() => {});
		return result;
	}

	async function make({ id, name, from = cwd }: WantedWorktree, signal?: AbortSignal): Promise<Worktree> {
		const session = await findRepository(git, cwd, signal);
		const start = from === cwd ? session : await findRepository(git, from, signal);
		await makePrivateDir(folder);
		const own = worktreeName(name);
		const path = join(await realpath(folder), own);
		const record: WorktreeRecord = {
			...{ id, sessionId, finisher: sessionId, path, branch: `clowder/${own}`, base: start.head },
			...{ origin: session.top, cwd: join(path, session.below), status: "making" },
		};
		await records.put(record);
		try {
			await inTurn(() => registerWorktree(git, record, signal));
			await checkOut(git, record, signal);
			await records.put({ ...record, status: "open" });
		} catch (thrown) {
			await discard(record);
			throw thrown;
		}
		return record;
	}

	// Nobody has worked in it: half a checkout looks like a change, and is none. A git that was stopped may not know it.
	async function discard(record: WorktreeRecord): Promise<void> {
		try {
			await rm(record.path, { recursive: true, force: true });
			await git({ cwd: record.origin, args: ["worktree", "remove", "--force", "--force", record.path] });
			await removeWorktree(git, record);
			await records.remove(record);
		} catch (thrown) {
			onWarning(`The unfinished worktree ${record.path} is left behind: ${messageOf(thrown)}`);
		}
	}

	async function finishNow(worktree: Worktree, mayGoOn: boolean): Promise<FinishedWorktree> {
		const finished = await finishWorktree(git, worktree);
		const record = { ...worktree, finisher: worktree.sessionId, status: "kept" as const };
		const saved = finished.kept && mayGoOn ? records.put(record) : records.remove(record);
		await saved.catch((thrown: unknown) => onWarning(`The worktree ${worktree.path}: ${messageOf(thrown)}`));
		return finished;
	}

	function finish(worktree: Worktree, postponed?: string): Promise<FinishedWorktree> {
		const known = finishing.get(worktree.path);
		if (known !== undefined) return known;
		if (postponed !== undefined) return Promise.resolve({ kept: true, reason: postponed });
		return startFinishing(worktree, false);
	}

	function startFinishing(worktree: Worktree, mayGoOn: boolean): Promise<FinishedWorktree> {
		const finished = finishing.get(worktree.path) ?? finishNow(worktree, mayGoOn);
		finishing.set(worktree.path, finished);
		return finished;
	}

	/** Resolves with those that are kept. */
	async function finishAll(left: readonly WorktreeRecord[]): Promise<WorktreeRecord[]> {
		const all: WorktreeRecord[] = [];
		for (let at = 0; at < left.length; at += AT_ONCE) {
			const some = left.slice(at, at + AT_ONCE);
			const finished = await Promise.all(some.map((record) => startFinishing(record, true)));
			all.push(...some.filter((_, index) => finished[index]?.kept));
		}
		return all;
	}

	async function claimStale(record: WorktreeRecord, isOpen: IsOpen): Promise<boolean> {
		const owner = options.store.sessions.get(record.sessionId);
		for (const session of [record.sessionId, record.finisher]) {
			if (session !== sessionId && (await isOpen(options.store.sessions.get(session)))) return false;
		}
		return records.claim(record, owner, sessionId);
	}

	return {
		check: async () => void (await findRepository(git, cwd)),
		add: async (wanted, signal) => {
			const known = records.get(sessionId, wanted.id);
			if (known && (await realpath(known.cwd).catch(() => undefined)) === known.cwd) {
				finishing.delete(known.path);
				await records.put({ ...known, finisher: sessionId, status: "open" });
				return known;
			}
			return make(wanted, signal);
		},
		finish,
		finishStale: async (isOpen) => {
			const stale: WorktreeRecord[] = [];
			for (const record of records.list()) {
				if (record.status === "making") {
					if (await claimStale(record, isOpen)) await discard(record);
				} else if (record.status === "open") stale.push(...((await claimStale(record, isOpen)) ? [record] : []));
				else if (!(await isThere(record.path))) await records.remove(record);
			}
			return finishAll(stale);
		},
		close: async () => {
			const mine = records.list().filter((record) => record.finisher === sessionId && record.status === "open");
			await finishAll(mine);
		},
	};
}
