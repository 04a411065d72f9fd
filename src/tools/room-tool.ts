// Tools whose work is main's: the board, jobs, schedules, the team. In the agent's thread they only pass the call on,
// named by the room that answers it.

import type { InputSchema, Tool } from "./definition.ts";

export interface RoomToolParts<Name extends string> {
	/** The room on main that answers. */
	readonly room: string;
	readonly inputSchemas: Readonly<Record<Name, InputSchema<unknown>>>;
	readonly descriptions: Readonly<Record<Name, string>>;
	/** Those that change nothing. */
	readonly readOnly: readonly Name[];
}

/** One tool per schema, in their order. */
export function createRoomTools<Name extends string>(parts: RoomToolParts<Name>): readonly Tool[] {
	const names = Object.keys(parts.inputSchemas) as Name[];
	return names.map((name) => ({
		name,
		description: parts.descriptions[name],
		inputSchema: parts.inputSchemas[name] as InputSchema<Record<string, unknown>>,
		readOnly: parts.readOnly.includes(name),
		execute: (input, { ask, toolUseId, signal }) =>
			ask("room-call", { room: parts.room, name, input, toolUseId }, signal),
	}));
}
