// The pool's threads, shared out among several small Piscina pools. Upstream: Piscina looks at each of its threads, and
// builds an object for each, whenever a task starts or ends; with 200 threads in one pool that was half of what the main
// thread allocated.

import type { Worker } from "node:worker_threads";
import { Piscina } from "piscina";

type PiscinaOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;

export interface PoolShard {
	readonly pool: Piscina;
	/** Tasks on their way or running. */
	tasks: number;
	readonly maxThreads: number;
}

export interface PoolShards {
	/** The place for one more task: where a thread is idle, if there is one. Counted until `leave`. */
	enter(): PoolShard;
	leave(shard: PoolShard): void;
	readonly threads: number;
	/** Resolves once no thread is loading its modules any more. */
	booted(): Promise<void>;
	destroy(): Promise<void>;
}

export interface PoolShardsOptions extends Omit<PiscinaOptions, "minThreads" | "maxThreads"> {
	/** Kept warm, of all shards together. */
	readonly minThreads: number;
	/** Of all shards together. */
	readonly maxThreads: number;
	/** A thread failed while it had no task. */
	onError(shard: PoolShard, error: unknown): void;
}

const SHARD_THREADS = 16;

/** **Contract**: at most `maxThreads` tasks at once. Shards beyond the warm ones are made when they are needed. */
export function createPoolShards({ minThreads, maxThreads, onError, ...options }: PoolShardsOptions): PoolShards {
	const shards: PoolShard[] = [];
	const ready = new WeakSet<Worker>();
	while (shards.length === 0 || shards.length * SHARD_THREADS < minThreads) addShard();

	function addShard(): PoolShard {
		const before = shards.length * SHARD_THREADS;
		const shareOf = (threads: number) => Math.max(0, Math.min(SHARD_THREADS, threads - before));
		const most = Math.max(1, shareOf(maxThreads));
		const pool = new Piscina({ ...options, minThreads: shareOf(minThreads), maxThreads: most });
		const shard: PoolShard = { pool, tasks: 0, maxThreads: most };
		pool.on("error", (error: unknown) => onError(shard, error));
		// Upstream: Piscina calls the threads it begins with ready before they are, and the others when they are.
		const first = new Set(pool.threads);
		for (const worker of first) worker.once("message", () => void ready.add(worker));
		pool.on("workerCreate", ({ id }: { readonly id: number }) => {
			const worker = pool.threads.find(({ threadId }) => threadId === id);
			if (worker && !first.has(worker)) ready.add(worker);
		});
		shards.push(shard);
		return shard;
	}

	return {
		enter() {
			const shard =
				shards.find(({ tasks, pool }) => tasks < pool.threads.length) ??
				shards.find(({ tasks, maxThreads: most }) => tasks < most) ??
				addShard();
			shard.tasks += 1;
			return shard;
		},
		leave(shard) {
			shard.tasks -= 1;
		},
		get threads() {
			return shards.reduce((sum, { pool }) => sum + pool.threads.length, 0);
		},
		booted: async () => {
			const booting = shards.flatMap(({ pool }) => pool.threads).filter((worker) => !ready.has(worker));
			await Promise.all(booting.map(firstWord));
		},
		destroy: async () => {
			await Promise.all(shards.map(({ pool }) => pool.destroy()));
		},
	};
}

/** Resolves when a thread says that it has booted, or ends. */
function firstWord(worker: Worker): Promise<void> {
	// Order: Piscina has let go of it, and a process that only waits for it would end.
	worker.ref();
	return new Promise((resolve) => {
		worker.once("message", () => resolve());
		worker.once("exit", () => resolve());
	});
}

/** The shard's thread with this id. */
export function workerOf({ pool }: PoolShard, threadId: number): Worker | undefined {
	return pool.threads.find((worker) => worker.threadId === threadId);
}

/** The thread that the shard ends while `act` runs; none when the task had no thread yet. */
export function destroyedBy({ pool }: PoolShard, act: () => void): Worker | undefined {
	let destroyed: Worker | undefined;
	const onDestroy = (info: { readonly id: number }) => {
		destroyed = pool.threads.find((worker) => worker.threadId === info.id);
	};
	pool.on("workerDestroy", onDestroy);
	try {
		act();
	} finally {
		pool.off("workerDestroy", onDestroy);
	}
	return destroyed;
}
