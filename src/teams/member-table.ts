// The teammates of all sessions in the store. Main only.

import type { Store } from "../store/store.ts";
import { type Member, memberSchema, nameKey } from "./member.ts";

export interface MemberTable {
	/** Resolves when it is durable. */
	put(member: Member): Promise<void>;
	/** Resolves when that is durable. */
	remove(member: Member): Promise<void>;
	/** Of one session, in the order of spawning. */
	list(sessionId: string): Member[];
}

export function openMemberTable(store: Store): MemberTable {
	const members = store.table("members", memberSchema);
	const keyOf = ({ sessionId, name }: Member) => [sessionId, nameKey(name)];
	return {
		put: (member) => store.transaction(() => members.set(keyOf(member), member)),
		remove: (member) => store.transaction(() => members.remove(keyOf(member))),
		list: (sessionId) =>
			members
				.entries({ prefix: [sessionId] })
				.map(({ value }) => value)
				.sort((a, b) => a.order - b.order),
	};
}
