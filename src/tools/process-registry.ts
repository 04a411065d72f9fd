// Where a tool records the child process groups it starts. The implementation writes into shared memory
// (supervision/process-ledger.ts), so that main can end them without any word from this thread.

export interface ProcessRegistry {
	/** Environment variables that mark a child as ours; must be in its environment. */
	readonly marker: Readonly<Record<string, string>>;
	/** Records a detached child's process group right after spawn, in the same synchronous step. */
	add(pid: number): void;
	/** The group has no members left. */
	remove(pid: number): void;
}
