// The task board: durable, shared by every process that opens the same store. Main thread. The steps
// themselves are in task-entries.ts and task-claims.ts; here each becomes one transaction and one change.

import type { Clock } from "../lib/clock.ts";
import type { Unsubscribe } from "../lib/emitter.ts";
import { isProcessAlive } from "../store/process-identity.ts";
import type { Store } from "../store/store.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import {
	MAX_RESULT_CHARS,
	parseInput,
	type Task,
	type TaskChange,
	type TaskDraft,
	type TaskOwner,
	taskChangeSchema,
	taskDraftSchema,
	taskOwnerSchema,
} from "./task.ts";
import { createTaskChanges } from "./task-changes.ts";
import { type ClaimProof, claimTask, completeByHand, completeTask, giveBackTask, releaseClaim } from "./task-claims.ts";
import { changeTask, deleteTask, insertTask, reserveId } from "./task-entries.ts";
import { openBlockers } from "./task-graph.ts";
import { type Claim, countUp, openTaskTables, readVersion } from "./task-tables.ts";
import { createTaskView } from "./task-view.ts";

export interface Completion {
	readonly task: Task;
	/** Tasks that can be claimed from now on, and could not before. */
	readonly unblocked: Task[];
}

/**
 * **Contract**: every change is one step that no other process can come between, and is durable when its promise
 * resolves. Failures are ClowderErrors (ERR_UNKNOWN_TASK, ERR_TASK_*) and change nothing.
 */
export interface TaskBoard {
	/**
	 * Adds a task. Ids are `t1`, `t2`, … or the given one, and are never used again.
	 *
	 * @param approve is asked with the id before the task is on the board; what it throws refuses the task.
	 */
	create(
		draft: TaskDraft,
		approve?: (task: { readonly id: string; readonly title: string }) => Promise<void>,
	): Promise<Task>;
	update(id: string, change: TaskChange): Promise<Task>;
	/** @returns the removed task, and the ids of those that waited for it and stay blocked. */
	remove(id: string): Promise<{ readonly task: Task; readonly stillBlocked: string[] }>;
	get(id: string): Task | undefined;
	/** In the order of creation. */
	list(): Task[];
	/** Tasks that can be claimed now, in the order of creation. */
	ready(): Task[];
	/** Blockers of a task that are not completed. */
	openBlockers(task: Task): string[];
	/** Makes a ready task its owner's; its `claimVersion` is the proof of that from then on. */
	claim(id: string, owner: TaskOwner): Promise<Task>;
	/** Refused unless the proof is that of the claim in force. */
	complete(id: string, proof: ClaimProof, result?: string): Promise<Completion>;
	/** A person completes a task that nobody needs to have claimed; a claim in force is void from then on. */
	completeByHand(id: string, result?: string): Promise<Completion>;
	/** The owner gives a task back. */
	giveBack(id: string, proof: ClaimProof): Promise<Task>;
	/** An owner has ended: its open task is PENDING again, with one attempt more. Harmless for owners without one. */
	releaseOwner(ownerId: string): Promise<Task | undefined>;
	/** All owners of a session have ended, e.g. because it is being resumed. */
	releaseSession(sessionId: string): Promise<Task[]>;
	/** The open task of an owner. */
	claimOf(ownerId: string): { readonly taskId: string; readonly claimVersion: number } | undefined;
	/** Hears of changes, also those of other processes (these within `pollMs`), once started. */
	onChange(listener: (version: number) => void): Unsubscribe;
	/** Begins to renew this session's leases, to release those of dead owners, and to look for changes. */
	start(): void;
	/** Looks for dead owners now; resolves when their tasks are free. */
	releaseDead(): Promise<void>;
	/** Ends what `start` began. Claims stay: release the owners first. */
	close(): Promise<void>;
}

/** The board without what only its owner may do. */
export type TaskBoardHand = Omit<TaskBoard, "start" | "close" | "releaseDead" | "releaseOwner" | "releaseSession">;

export interface TaskBoardOptions {
	readonly store: Store;
	readonly clock: Clock;
	/** The session of this process; its owners' leases are renewed. */
	readonly sessionId: string;
	/** How long a claim outlives a process that renews nothing. @default 60_000 */
	readonly leaseMs?: number;
	/** How often leases are renewed and the dead are looked for. @default a quarter of `leaseMs` */
	readonly roundMs?: number;
	/** How often changes of other processes are looked for. @default 500 */
	readonly pollMs?: number;
	/** Whether a session's process runs; undefined: unknown. @default by the store's sessions */
	readonly isSessionAlive?: (sessionId: string) => Promise<boolean | undefined>;
	/** Hears of failures in the background and of listeners that throw. */
	readonly onError?: (thrown: unknown) => void;
}

export function createTaskBoard(options: TaskBoardOptions): TaskBoard {
	const {
		store,
		clock,
		sessionId,
		leaseMs = 60_000,
		roundMs = leaseMs / 4,
		pollMs = 500,
		onError = () => {},
	} = options;
	const tables = openTaskTables(store);
	const find = (id: string) => tables.tasks.get(id);
	const changes = createTaskChanges({
		clock,
		pollMs,
		readVersion: () => readVersion(tables),
		onListenerError: onError,
	});

	async function change<R>(action: () => R): Promise<R> {
		const { result, version } = await store.transaction(() => ({
			result: action(),
			version: countUp(tables, "version"),
		}));
		changes.noteOwn(version);
		return result;
	}

	const allClaims = () => tables.claims.entries().map((entry) => entry.value);

	async function release(claims: readonly Claim[]): Promise<Task[]> {
		if (claims.length === 0) return [];
		return change(() => claims.flatMap((claim) => releaseClaim(tables, claim, clock.now()) ?? []));
	}

	const leases = new LeaseKeeper({
		clock,
		sessionId,
		roundMs,
		isSessionAlive: options.isSessionAlive ?? ((id) => isSessionAlive(store, id)),
		claims: allClaims,
		renew: (claims) => renew(claims),
		release: async (claims) => void (await release(claims)),
		onError,
	});

	function renew(claims: readonly Claim[]): Promise<void> {
		return store.transaction(() => {
			for (const { owner, claimVersion } of claims) {
				const current = tables.claims.get(owner.id);
				if (current?.claimVersion !== claimVersion) continue;
				tables.claims.set(owner.id, { ...current, leaseUntil: clock.now() + leaseMs });
			}
		});
	}

	const view = createTaskView(tables);

	return {
		async create(input, approve) {
			const draft = parseInput(taskDraftSchema, input);
			if (!approve) return change(() => insertTask(tables, reserveId(tables, draft.id), draft, clock.now()));
			const id = await store.transaction(() => reserveId(tables, draft.id));
			await approve({ id, title: draft.title });
			return change(() => insertTask(tables, id, draft, clock.now()));
		},
		async update(id, input) {
			const wanted = parseInput(taskChangeSchema, input);
			return change(() => changeTask(tables, id, wanted, clock.now()));
		},
		remove: (id) => change(() => deleteTask(tables, id, clock.now())),
		get: find,
		list: view.list,
		ready: view.ready,
		openBlockers: (task) => openBlockers(task, find),
		async claim(id, input) {
			const owner = parseInput(taskOwnerSchema, input);
			return change(() => claimTask(tables, id, owner, clock.now(), clock.now() + leaseMs));
		},
		complete: (id, proof, result) =>
			change(() => completeTask(tables, id, { proof, result: cut(result), now: clock.now() })),
		completeByHand: (id, result) => change(() => completeByHand(tables, id, cut(result), clock.now())),
		giveBack: (id, proof) => change(() => giveBackTask(tables, id, proof, clock.now())),
		async releaseOwner(ownerId) {
			const claim = tables.claims.get(ownerId);
			return claim ? (await release([claim]))[0] : undefined;
		},
		releaseSession: (id) => release(allClaims().filter((claim) => claim.owner.sessionId === id)),
		claimOf: (ownerId) => tables.claims.get(ownerId),
		onChange: changes.onChange,
		start() {
			changes.start();
			leases.start();
		},
		releaseDead: () => leases.runRoundNow(),
		async close() {
			changes.stop();
			await leases.stop();
		},
	};
}

async function isSessionAlive(store: Store, sessionId: string): Promise<boolean | undefined> {
	const session = store.sessions.get(sessionId);
	if (!session) return undefined;
	return session.endedAt === undefined && isProcessAlive(session.owner);
}

/** A result that is too long keeps its beginning: the task must not stay open for it. */
function cut(result: string | undefined): string | undefined {
	if (result === undefined || result.length <= MAX_RESULT_CHARS) return result;
	return `${result.slice(0, MAX_RESULT_CHARS)}\n… (${result.length - MAX_RESULT_CHARS} more characters were cut)`;
}
