// The sessions of a project: which process each belongs to, and what a person needs to find one again.

import * as z from "zod";
import { ClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { processIdentitySchema } from "./process-identity.ts";
import type { Table, Transactions } from "./table.ts";

export const sessionRecordSchema = z.object({
	id: z.string().min(1).max(200),
	cwd: z.string(),
	owner: processIdentitySchema,
	title: z.string().optional(),
	/** Milliseconds since the Unix epoch, as are the next two. */
	startedAt: z.number(),
	lastActiveAt: z.number(),
	/** Set when the session was left in order; a session without it whose owner is dead was cut off. */
	endedAt: z.number().optional(),
});
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

export interface SessionStore {
	/** Starts a session, or takes one over (a resume): keeps its start and title and names the new owner. */
	start(session: Pick<SessionRecord, "id" | "cwd" | "owner" | "title">): Promise<SessionRecord>;
	/**
	 * Starts a session again that no process has open.
	 *
	 * @param seen the record as the caller read it before it looked whether the owner lives.
	 * @throws ClowderError ERR_SESSION_IN_USE when another process has taken it over since.
	 */
	takeOver(session: Pick<SessionRecord, "id" | "cwd" | "owner">, seen: SessionRecord): Promise<SessionRecord>;
	/** @throws ClowderError ERR_BAD_INPUT for an unknown id. */
	update(id: string, change: { readonly title?: string; readonly lastActiveAt?: number }): Promise<void>;
	/** Leaves a session in order; nothing happens for an unknown id. */
	end(id: string): Promise<void>;
	get(id: string): SessionRecord | undefined;
	/** The latest active first. */
	list(): SessionRecord[];
}

export function createSessionStore(
	table: Table<SessionRecord>,
	transactions: Transactions,
	clock: Clock,
): SessionStore {
	function write(session: Pick<SessionRecord, "id" | "cwd" | "owner" | "title">): SessionRecord {
		const known = table.get(session.id);
		const title = session.title ?? known?.title;
		const record: SessionRecord = {
			id: session.id,
			cwd: session.cwd,
			owner: session.owner,
			...(title === undefined ? {} : { title }),
			startedAt: known?.startedAt ?? clock.now(),
			lastActiveAt: clock.now(),
		};
		table.set(record.id, record);
		return record;
	}

	return {
		start: (session) => transactions.run(() => write(session)),
		takeOver: (session, seen) =>
			transactions.run(() => {
				const now = table.get(session.id);
				if (now?.endedAt !== seen.endedAt || JSON.stringify(now?.owner) !== JSON.stringify(seen.owner)) {
					throw new ClowderError("ERR_SESSION_IN_USE", `Another process has just opened the session ${session.id}`);
				}
				return write(session);
			}),
		update: (id, change) =>
			transactions.run(() => {
				const record = table.get(id);
				if (!record) throw new ClowderError("ERR_BAD_INPUT", `No session has the id '${id}'`);
				table.set(id, { ...record, lastActiveAt: clock.now(), ...change });
			}),
		end: (id) =>
			transactions.run(() => {
				const record = table.get(id);
				if (record) table.set(id, { ...record, lastActiveAt: clock.now(), endedAt: clock.now() });
			}),
		get: (id) => table.get(id),
		list: () =>
			table
				.entries()
				.map((entry) => entry.value)
				.sort((a, b) => b.lastActiveAt - a.lastActiveAt),
	};
}
