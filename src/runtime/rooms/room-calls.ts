// Calls of feature rooms that have their own table: `room-call` names the room, the room answers with text.

import { ClowderError } from "../../errors.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { RequestParams, RequestResults } from "../../wire/requests.ts";

/** The asker is the port's owner, never a field of the call. */
export type RoomHandler = (
	run: LiveRun,
	name: string,
	input: unknown,
	toolUseId: string,
) => Promise<RequestResults["room-call"]>;

/** Answers `room-call` requests. @throws ERR_BAD_MESSAGE for a room that is not there. */
export function createRoomCalls(rooms: ReadonlyMap<string, RoomHandler>) {
	return async (run: LiveRun, call: RequestParams<"room-call">): Promise<RequestResults["room-call"]> => {
		const answer = rooms.get(call.room);
		if (!answer) throw new ClowderError("ERR_BAD_MESSAGE", `Nothing on main answers calls of '${call.room}'`);
		return answer(run, call.name, call.input, call.toolUseId);
	};
}
