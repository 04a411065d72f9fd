// What agents and people read about schedules.

import type { OutgoingEnvelope } from "../wire/envelope.ts";
import type { Delivery, Schedule } from "./schedule.ts";

const oneLine = (text: string, most: number) => {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** `2026-03-29 02:30`, in local time. */
export function localTime(ms: number, timeZone?: string): string {
	const zone = timeZone === undefined ? {} : { timeZone };
	return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", ...zone }).format(ms);
}

export function describeSchedule({ id, cron, prompt, recurring, durable, nextAt }: Schedule): string {
	const kind = [recurring ? "recurring" : "once", durable ? "durable" : "this session only"].join(", ");
	return `${id}  ${cron}  (${kind}; next ${localTime(nextAt)}): ${oneLine(prompt, 80)}`;
}

export function formatSchedules(schedules: readonly Schedule[]): string[] {
	if (schedules.length === 0) return ["No schedules."];
	return [`Schedules (${schedules.length}):`, ...schedules.map((schedule) => `  ${describeSchedule(schedule)}`)];
}

/** The envelope that brings a scheduled prompt. */
export function scheduledPrompt({ id, scheduleId, cron, prompt, dueAt, to }: Delivery): OutgoingEnvelope {
	const data = { scheduleId, cron, dueAt: localTime(dueAt) };
	return { id, kind: "task", to, body: prompt, summary: oneLine(prompt, 200), data };
}
