// The end of a supervisor: what agents still do first, what they stand on last.

import type { MessageBus } from "../bus/contract.ts";
import { messageOf } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { Isolation } from "./agents/isolation.ts";
import type { Rooms } from "./rooms/rooms.ts";
import type { Journal } from "./sessions/journal.ts";
import { shutDown } from "./shut-down.ts";

export interface CloseParts {
	readonly supervisor: RunSupervisor;
	readonly rooms: Rooms;
	readonly isolation: Isolation;
	readonly pool: { close(): Promise<unknown> };
	readonly gateway: { close(): Promise<unknown> };
	readonly bus: MessageBus;
	readonly journal: Journal;
	readonly store: Store;
	unguardExit(): void;
	onWarning(text: string): void;
}

export function closeAll(
	{ supervisor, rooms, isolation, pool, gateway, bus, journal, store, unguardExit, onWarning }: CloseParts,
	{ sessionId, why }: { readonly sessionId: string; readonly why: string },
): Promise<void> {
	return shutDown(
		[
			["team", () => rooms.closeTeam()],
			["runs", () => supervisor.close(why)],
			["jobs", () => rooms.close(why)],
			["worktrees", () => isolation.closeAll()],
			["pool", () => pool.close()],
			["gateway", () => gateway.close()],
			["bus", () => bus.close()],
			["transcripts", () => journal.closeAll()],
			["session", () => store.sessions.end(sessionId)],
			["store", () => store.close()],
			["exit guard", async () => unguardExit()],
		],
		(step, thrown) => onWarning(`Closing the ${step} failed: ${messageOf(thrown)}`),
	);
}
