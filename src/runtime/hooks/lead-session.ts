// When a lead's session begins and ends, for the hooks: each beginning has one end. A new thread for the same
// conversation, after a crash, is neither.

import type { HookMoments, SessionEndReason, SessionSource } from "./hook-moments.ts";

export interface LeadSession {
	/** The conversation gets a thread: what the hooks have to say, if with it a session begins. */
	begin(): Promise<string | undefined> | undefined;
	/** Does nothing when no session is open. After `clear` the next thread begins another one. */
	end(reason: SessionEndReason): Promise<void>;
}

export function createLeadSession(
	moments: Pick<HookMoments, "sessionStart" | "sessionEnd">,
	first: SessionSource,
): LeadSession {
	let next: SessionSource | undefined = first;
	let isOpen = false;
	return {
		begin: () => {
			const source = next;
			next = undefined;
			if (source === undefined) return undefined;
			isOpen = true;
			return moments.sessionStart(source);
		},
		end: async (reason) => {
			if (!isOpen) return;
			isOpen = false;
			if (reason === "clear") next = "clear";
			await moments.sessionEnd(reason);
		},
	};
}
