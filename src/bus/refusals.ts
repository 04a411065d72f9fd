// Why the bus turns something down, in words that say what to do.

import { ClowderError } from "../errors.ts";
import type { Question } from "./asks.ts";

/** Most names listed in a message. */
const MAX_NAMES = 20;

export function badInput(text: string): ClowderError {
	return new ClowderError("ERR_BAD_INPUT", text);
}

export function unknownReceiver(to: string, known: readonly string[]): ClowderError {
	const names = known.slice(0, MAX_NAMES).join(", ");
	const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : "";
	const remedy = known.length === 0 ? "No name is known yet" : `Known names: ${names}${more}`;
	return new ClowderError("ERR_UNKNOWN_RECEIVER", `No agent is called '${to}'`, { remedy, details: { to, known } });
}

export function mailboxFull(to: string, waiting: number): ClowderError {
	return new ClowderError("ERR_MAILBOX_FULL", `The mailbox of '${to}' is full: ${waiting} messages wait`, {
		remedy: "Send again after it has read some",
		details: { to, waiting },
	});
}

export function leftWithoutAnswer({ from, to, correlationId }: Question): ClowderError {
	return new ClowderError("ERR_UNKNOWN_RECEIVER", `'${to}' left before it answered '${from}'`, {
		details: { from, to, correlationId },
	});
}

/** @param address only this address was closed, not the bus. */
export function busClosed(address?: string): ClowderError {
	return new ClowderError("ERR_CLOSED", address === undefined ? "The supervisor is closed" : `'${address}' left`);
}
