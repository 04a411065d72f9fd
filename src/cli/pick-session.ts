// `--resume` without an id, and `/resume`: the conversations of this folder, and which of them it shall be.

import type { SessionSummary } from "../runtime/find-session.ts";
import { oneLine } from "./plain-text.ts";

const MAX_LISTED = 20;

export function formatSessions(sessions: readonly SessionSummary[], nowMs: number): string {
	if (sessions.length === 0) return "There are no conversations in this folder yet.";
	const lines = sessions
		.slice(0, MAX_LISTED)
		.map(
			({ id, title, lastActiveAt }, index) =>
				`${String(index + 1).padStart(4)}. ${oneLine(title, 70)}  (${describeAge(nowMs - lastActiveAt)}, ${id})`,
		);
	const more =
		sessions.length > MAX_LISTED ? [`      … ${sessions.length - MAX_LISTED} older ones: name one by its id`] : [];
	return [...lines, ...more].join("\n");
}

/** The id that an answer means: a number of the list, or an id or its beginning; undefined for an empty answer. */
export function pickSession(answer: string, sessions: readonly SessionSummary[]): string | undefined {
	const text = answer.trim();
	if (text === "") return undefined;
	return (/^\d{1,4}$/.test(text) ? sessions[Number(text) - 1]?.id : undefined) ?? text;
}

function describeAge(ms: number): string {
	const minutes = Math.floor(Math.max(0, ms) / 60_000);
	if (minutes < 1) return "just now";
	if (minutes < 60) return `${minutes} min ago`;
	if (minutes < 60 * 48) return `${Math.floor(minutes / 60)} h ago`;
	return `${Math.floor(minutes / 60 / 24)} days ago`;
}
