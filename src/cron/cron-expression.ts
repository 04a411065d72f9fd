// Five-field cron expressions: what is wrong with one is said with the field and its bounds, when one comes next is
// croner's to know. Local time. A change of the clocks: a time that is skipped comes at the first moment after the gap,
// a time that occurs twice comes once, and a wildcard or step (`*/30`) goes on with the real half hours.

import { Cron } from "croner";
import { ClowderError } from "../errors.ts";

interface Field {
	readonly name: string;
	readonly least: number;
	readonly most: number;
	/** Names in the place of numbers, the first for `least`. */
	readonly names?: readonly string[];
}

const FIELDS: readonly Field[] = [
	{ name: "minute", least: 0, most: 59 },
	{ name: "hour", least: 0, most: 23 },
	{ name: "day of month", least: 1, most: 31 },
	{
		name: "month",
		least: 1,
		most: 12,
		names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
	},
	{ name: "day of week", least: 0, most: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

export interface CronExpression {
	/** One blank between two fields. */
	readonly text: string;
	/** When it comes next after a moment, in ms since the Unix epoch; undefined when it never does. */
	next(afterMs: number): number | undefined;
}

/**
 * @param timeZone an IANA name. @default the machine's
 * @throws ERR_BAD_INPUT that names the field and what it may hold
 */
export function parseCron(text: string, timeZone?: string): CronExpression {
	const parts = text.trim().split(/\s+/);
	if (parts.length !== FIELDS.length || parts[0] === "") {
		const given = parts[0] === "" ? 0 : parts.length;
		throw bad(
			text,
			`it has ${given} ${given === 1 ? "field" : "fields"}, and needs five: minute, hour, day of month, month, day of week`,
		);
	}
	for (const [index, field] of FIELDS.entries()) checkField(text, parts[index] ?? "", field);
	const cron = new Cron(parts.join(" "), {
		...{ mode: "5-part", paused: true, fixedTimeRule: "no-wildcard" },
		...(timeZone === undefined ? {} : { timezone: timeZone }),
	});
	return { text: parts.join(" "), next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() };
}

/** As parseCron, and also refuses one that never comes, e.g. the 31st of February. @throws ERR_BAD_INPUT */
export function parseComing(
	text: string,
	nowMs: number,
	timeZone?: string,
): CronExpression & { readonly nextMs: number } {
	const cron = parseCron(text, timeZone);
	const nextMs = cron.next(nowMs);
	if (nextMs === undefined) throw bad(text, "it never comes: no month in it has such a day");
	return { ...cron, nextMs };
}

function checkField(text: string, part: string, field: Field): void {
	for (const item of part.split(",")) {
		const [range = "", step, ...rest] = item.split("/");
		if (rest.length > 0) throw badField(text, part, field);
		if (step !== undefined) checkStep(text, step, range, field);
		if (range === "*") continue;
		const ends = range.split("-");
		if (ends.length > 2) throw badField(text, part, field);
		const [from, to] = ends.map((end) => readNumber(text, end, part, field));
		if (from !== undefined && to !== undefined && from > to) {
			throw bad(text, `${field.name} '${range}' ends before it begins`);
		}
	}
}

function checkStep(text: string, step: string, range: string, { name, least, most }: Field): void {
	const number = /^\d+$/.test(step) ? Number(step) : 0;
	const span = most - least + 1;
	if (number < 1 || number > span) throw bad(text, `the step of ${name} must be from 1 to ${span}, not '${step}'`);
	if (range !== "*" && !range.includes("-")) {
		throw bad(text, `a step of ${name} needs a range: write */${step} or ${least}-${most}/${step}`);
	}
}

function readNumber(text: string, end: string, part: string, field: Field): number {
	const named = field.names?.indexOf(end.toLowerCase()) ?? -1;
	if (named >= 0) return named + field.least;
	if (!/^\d+$/.test(end)) throw badField(text, part, field);
	const number = Number(end);
	if (number < field.least || number > field.most) {
		throw bad(text, `${field.name} must be from ${field.least} to ${field.most}, not ${end}`);
	}
	return number;
}

function badField(text: string, part: string, { name, least, most, names }: Field): ClowderError {
	const words = names ? `, ${names[0]?.toUpperCase()}-${names.at(-1)?.toUpperCase()}` : "";
	return bad(
		text,
		`${name} '${part}' cannot be read: it may hold ${least}-${most}${words}, lists (1,2), ranges (1-5), * and steps (*/2)`,
	);
}

function bad(text: string, why: string): ClowderError {
	return new ClowderError("ERR_BAD_INPUT", `the schedule '${text}' cannot be used: ${why}`);
}
