// The feature rooms on main that agents reach by `room-call`, put together in one place: what they offer as tools,
// who answers, what they have to tell an agent, and how they end.

import { jobToolSpecs } from "../background/job-tool-specs.ts";
import { JOB_ROOM } from "../background/job-tools.ts";
import type { MessageBus } from "../bus/contract.ts";
import type { Store } from "../store/store.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import type { OutgoingEnvelope } from "../wire/envelope.ts";
import type { RequestParams, RequestResults } from "../wire/requests.ts";
import { type Background, createBackground } from "./background.ts";
import type { ResolvedOptions } from "./options.ts";
import { createRoomCalls } from "./room-calls.ts";

export interface RoomParts {
	readonly options: ResolvedOptions;
	readonly store: Store;
	readonly sessionId: string;
	readonly outputDir: string;
	readonly childEnv: Readonly<Record<string, string>>;
	readonly bus: MessageBus;
}

export interface Rooms {
	readonly background: Background;
	readonly specs: readonly ToolSpec[];
	/** Names of tools that change nothing. */
	readonly readOnlyTools: readonly string[];
	call(run: LiveRun, call: RequestParams<"room-call">): Promise<RequestResults["room-call"]>;
	/** What an address has to be told when it is opened. */
	endsFor(address: string): Promise<OutgoingEnvelope[]>;
	close(why: string): Promise<void>;
}

export async function createRooms({ options, store, sessionId, outputDir, childEnv, bus }: RoomParts): Promise<Rooms> {
	const { clock, onWarning } = options;
	const background = createBackground({ store, clock, sessionId, env: childEnv, outputDir, bus, onWarning });
	return {
		background,
		specs: await jobToolSpecs(),
		readOnlyTools: ["job_output"],
		call: createRoomCalls(new Map([[JOB_ROOM, background.call]])),
		endsFor: (address) => background.endsFor(address),
		close: (why) => background.close(why),
	};
}
