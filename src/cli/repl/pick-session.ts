// `--resume` without an id, and `/resume`: the conversations of this folder, and which of them it shall be.

import type { SessionSummary } from "../../runtime/sessions/find-session.ts";
import { oneLine } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";
import { cutLine } from "../terminal/wrap-text.ts";
import type { PersonAsker } from "./ask-person.ts";

/** Rows that the question and what is around it need. */
const OTHER_ROWS = 5;
/** From this width on there is room for ids. */
const COLUMNS_WITH_IDS = 110;

export interface SessionQuestion {
	readonly person: Pick<PersonAsker, "line">;
	readonly region: LiveRegion;
	readonly nowMs: number;
	/** What an empty answer means: `for a new one`. */
	readonly none: string;
	readonly signal?: AbortSignal;
}

/** The id that is wanted: as it was given, or asked for until the answer means something; undefined for none. */
export async function askForSession(
	given: string,
	sessions: readonly SessionSummary[],
	{ person, region, nowMs, none, signal }: SessionQuestion,
): Promise<string | undefined> {
	if (given.trim() !== "") return pickSession(given, sessions) ?? given.trim();
	if (sessions.length === 0) {
		region.print("There are no other conversations in this folder.\n");
		return undefined;
	}
	let from = 0;
	for (let page = true; ; ) {
		if (page)
			region.print(`${formatSessions(sessions, from, { nowMs, rows: region.rows, columns: region.columns })}\n`);
		const more = sessions.length > from + pageSize(region.rows);
		const answer = await person.line(
			`Which one (number or id${more ? ", m for older ones" : ""}; nothing ${none})? `,
			signal,
		);
		if (answer === "") return undefined;
		page = more && answer === "m";
		if (page) from += pageSize(region.rows);
		else {
			const id = pickSession(answer, sessions);
			if (id !== undefined) return id;
			region.print(`'${oneLine(answer, 50)}' is no number or id of these.\n`);
		}
	}
}

export interface ListLayout {
	readonly nowMs: number;
	readonly rows: number;
	readonly columns: number;
}

const pageSize = (rows: number) => Math.max(3, rows - OTHER_ROWS);

/** One page, a row for each. */
export function formatSessions(sessions: readonly SessionSummary[], from: number, layout: ListLayout): string {
	const shown = sessions.slice(from, from + pageSize(layout.rows));
	const lines = shown.map(({ id, title, lastActiveAt }, index) => {
		const age = describeAge(layout.nowMs - lastActiveAt);
		const end = layout.columns >= COLUMNS_WITH_IDS ? `  (${age}, ${id})` : `  (${age})`;
		const start = `${String(from + index + 1).padStart(4)}. `;
		return `${start}${cutLine(oneLine(title, 70), layout.columns - 1 - start.length - end.length)}${end}`;
	});
	const older = sessions.length - from - shown.length;
	return [...lines, ...(older > 0 ? [`      … ${older} older`] : [])].join("\n");
}

/** The id that an answer means: a number of the list, or an id or its beginning, where no other begins so. */
export function pickSession(answer: string, sessions: readonly SessionSummary[]): string | undefined {
	const text = answer.trim();
	const numbered = /^\d{1,4}$/.test(text) ? sessions[Number(text) - 1]?.id : undefined;
	if (numbered !== undefined || text === "") return numbered;
	const alike = sessions.filter(({ id }) => id.startsWith(text));
	return alike.length === 1 ? alike[0]?.id : sessions.find(({ id }) => id === text)?.id;
}

function describeAge(ms: number): string {
	const minutes = Math.floor(Math.max(0, ms) / 60_000);
	if (minutes < 1) return "just now";
	if (minutes < 60) return `${minutes} min ago`;
	if (minutes < 60 * 48) return `${Math.floor(minutes / 60)} h ago`;
	return `${Math.floor(minutes / 60 / 24)} days ago`;
}
