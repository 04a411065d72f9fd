// Where each run works: the session's folder, a worktree of its own, or that of the agent above it. A worktree is made
// before its agent's thread starts and finished once, when thread, children and processes are gone.

import { join } from "node:path";
import type { Jobs } from "../../background/jobs.ts";
import { ClowderError, messageOf } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { withoutRepository } from "../../worktrees/git-environment.ts";
import type { FinishedWorktree, Worktree } from "../../worktrees/worktree.ts";
import { createWorktrees, type Worktrees } from "../../worktrees/worktrees.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { isSessionOpen } from "../sessions/session-state.ts";
import type { RunNotes } from "./run-notes.ts";

export interface RunFolder {
	readonly cwd: string;
	/** The copy of the working tree that `cwd` is in. */
	readonly worktree?: Worktree;
}

export interface Isolation {
	/** @throws ERR_BAD_INPUT for another isolation, ERR_NO_REPOSITORY, ERR_GIT when there can be none here */
	check(isolation: string): Promise<"worktree">;
	/**
	 * The folder and environment of a run whose thread is about to start; makes its worktree where its note asks for
	 * one. A teammate gets the same one again each time it is started.
	 *
	 * @throws ERR_NO_REPOSITORY, ERR_GIT, ERR_STATE_DIR, ERR_ABORTED
	 */
	open(run: LiveRun): Promise<RunFolder & { readonly env: Readonly<Record<string, string>> }>;
	/** Where a run works, as far as it is known now. */
	folderOf(run: LiveRun): RunFolder;
	/** The environment of what a run starts. */
	envOf(run: LiveRun): Readonly<Record<string, string>>;
	/** A run has ended: finishes a subagent's worktree, and puts into its record what is kept. Never rejects. */
	close(run: LiveRun, retired: Promise<void>): Promise<void>;
	/** A teammate is gone for good: finishes its worktree. Undefined when it had none. Never rejects. */
	retireTeammate(name: string): Promise<(FinishedWorktree & Pick<Worktree, "path" | "branch">) | undefined>;
	/** Finishes what is left, when nothing runs any longer. */
	closeAll(): Promise<void>;
}

export interface IsolationParts {
	readonly options: Pick<ResolvedOptions, "cwd" | "clock" | "onWarning">;
	readonly store: Store;
	readonly sessionId: string;
	readonly notes: RunNotes;
	readonly childEnv: Readonly<Record<string, string>>;
	jobs(): ReturnType<Jobs["list"]>;
}

/** @throws ERR_BAD_INPUT */
export function parseIsolation(isolation: string | undefined): "worktree" | undefined {
	if (isolation === undefined || isolation === "worktree") return isolation;
	throw new ClowderError("ERR_BAD_INPUT", `There is no isolation '${isolation}'`, {
		remedy: "Use worktree, or leave it out",
	});
}

/** Starts with what processes that are gone have left. */
export async function createIsolation(parts: IsolationParts): Promise<Isolation> {
	const { options, store, sessionId, notes, childEnv } = parts;
	const { cwd, clock, onWarning } = options;
	const folder = join(store.stateDir, "worktrees");
	const worktrees = createWorktrees({ cwd, folder, store, sessionId, clock, env: childEnv, onWarning });
	await finishStale(worktrees, parts);
	const isolatedEnv = withoutRepository(childEnv);
	/** Worktrees by their owner, also those that are being made. */
	const owned = new Map<string, Promise<Worktree>>();

	function folderOf({ spec }: LiveRun): RunFolder {
		const note = notes.of(spec.id);
		return { cwd: note.cwd ?? cwd, ...(note.worktree === undefined ? {} : { worktree: note.worktree }) };
	}

	const envOf = (run: LiveRun) => (folderOf(run).worktree === undefined ? childEnv : isolatedEnv);

	async function makeWorktree(run: LiveRun): Promise<Worktree> {
		const id = ownerOf(run);
		const from = run.parent && folderOf(run.parent).cwd;
		const making = worktrees.add({ id, name: run.spec.name, from }, run.abort.signal);
		owned.set(id, making);
		return making;
	}

	async function finish(owner: string, why: () => string | undefined) {
		const making = owned.get(owner);
		owned.delete(owner);
		// One that could not be made has been cleaned up by whoever made it.
		const worktree = await making?.catch(() => undefined);
		if (!worktree) return undefined;
		const job = parts.jobs().find((each) => each.status === "running" && isIn(each.cwd, worktree.path));
		const postponed = why() ?? (job && `the background job ${job.id} still runs in it`);
		const { path, branch } = worktree;
		return { ...(await worktrees.finish(worktree, postponed)), path, branch };
	}

	return {
		check: async (isolation) => {
			parseIsolation(isolation);
			await worktrees.check();
			return "worktree";
		},
		open: async (run) => {
			const { id } = run.spec;
			if (notes.of(id).isolation !== undefined) {
				const worktree = await makeWorktree(run);
				run.abort.signal.throwIfAborted();
				notes.note(id, { cwd: worktree.cwd, worktree });
			} else if (run.parent && folderOf(run.parent).worktree) {
				notes.note(id, folderOf(run.parent));
			}
			return { ...folderOf(run), env: envOf(run) };
		},
		folderOf,
		envOf,
		close: async (run, retired) => {
			const owner = ownerOf(run);
			if (!owned.has(owner) && !folderOf(run).worktree) return;
			try {
				await retired;
				// A teammate may be started again; an agent in the worktree of the one above it leaves it to that one.
				if (run.spec.kind === "teammate" || !owned.has(owner)) return;
				await Promise.all([...run.children].map((child) => child.ended.promise));
				const isLost = () => (run.record.reason === "lost" ? "its thread did not end and may still write" : undefined);
				const finished = await finish(owner, isLost);
				if (!finished?.kept) return;
				run.update({ worktree: { path: finished.path, branch: finished.branch } });
				await store.runs.putRun(run.record);
			} catch (thrown) {
				onWarning(`The worktree of ${run.spec.id}: ${messageOf(thrown)}`);
			}
		},
		retireTeammate: (name) => finish(teammateOwner(name), () => undefined),
		closeAll: () => worktrees.close(),
	};
}

/** A teammate's worktree outlives its runs. */
const teammateOwner = (name: string) => `teammate:${name}`;

function ownerOf({ spec }: LiveRun): string {
	return spec.kind === "teammate" ? teammateOwner(spec.name) : spec.id;
}

function isIn(path: string, folder: string): boolean {
	return path === folder || path.startsWith(`${folder}/`);
}

/** Finishes the worktrees of processes that are gone, and tells once of each that is kept. */
async function finishStale(worktrees: Worktrees, { store, options }: IsolationParts): Promise<void> {
	try {
		for (const { id, path, branch } of await worktrees.finishStale(isSessionOpen)) {
			options.onWarning(`Worktree kept: ${path} (branch ${branch}), from an agent that was cut off`);
			const record = store.runs.getRun(id);
			if (record) await store.runs.putRun({ ...record, worktree: { path, branch } });
		}
	} catch (thrown) {
		options.onWarning(`Worktrees of former sessions could not be looked at: ${messageOf(thrown)}`);
	}
}
