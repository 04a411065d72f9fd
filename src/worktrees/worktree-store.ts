// The worktrees of all sessions in the store: each is on record before it is made, so that a crash leaves none unknown.

import type { SessionRecord } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import { type WorktreeRecord, worktreeRecordSchema } from "./worktree.ts";

export interface WorktreeStore {
	/** Resolves when the record is durable. */
	put(record: WorktreeRecord): Promise<void>;
	remove(record: Pick<WorktreeRecord, "sessionId" | "id">): Promise<void>;
	get(sessionId: string, id: string): WorktreeRecord | undefined;
	list(): WorktreeRecord[];
	/**
	 * Makes one that was left behind this session's to finish; false when it is no longer as it was `seen`.
	 *
	 * **Contract**: each goes to one caller only, in whatever process.
	 */
	claim(seen: WorktreeRecord, owner: SessionRecord | undefined, finisher: string): Promise<boolean>;
}

export function createWorktreeStore(store: Store): WorktreeStore {
	const table = store.table("worktrees", worktreeRecordSchema);
	const keyOf = ({ sessionId, id }: Pick<WorktreeRecord, "sessionId" | "id">) => [sessionId, id];
	return {
		put: (record) => store.transaction(() => table.set(keyOf(record), record)),
		remove: (record) => store.transaction(() => table.remove(keyOf(record))),
		get: (sessionId, id) => table.get([sessionId, id]),
		list: () => table.entries().map(({ value }) => value),
		claim: (seen, owner, finisher) =>
			store.transaction(() => {
				const now = table.get(keyOf(seen));
				// Race: another process may have claimed it, or gone on with its session, since.
				if (JSON.stringify(now) !== JSON.stringify(seen)) return false;
				if (JSON.stringify(store.sessions.get(seen.sessionId)?.owner) !== JSON.stringify(owner?.owner)) return false;
				table.set(keyOf(seen), { ...seen, finisher });
				return true;
			}),
	};
}
