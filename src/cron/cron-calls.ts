// Answers the agents' calls about schedules, on main. Every failure is a text that says what to do.

import { isClowderError } from "../errors.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import { describeSchedule, formatSchedules } from "./cron-texts.ts";
import { type CronToolName, cronInputSchemas } from "./cron-tools.ts";
import type { Schedules } from "./schedules.ts";

export interface CronCallResult {
	readonly content: string;
	readonly isError: boolean;
}

export interface CronCallOptions {
	/** Whether this process fires schedules; otherwise a later session does. */
	readonly fires: boolean;
}

export type CronCalls = (name: string, input: unknown) => Promise<CronCallResult>;

export function createCronCalls(schedules: Schedules, { fires }: CronCallOptions): CronCalls {
	const handlers: Readonly<Record<CronToolName, (input: unknown) => Promise<CronCallResult>>> = {
		async schedule_cron(input) {
			const parsed = cronInputSchemas.schedule_cron.safeParse(input);
			if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
			if (!fires && parsed.data.durable === false) {
				return failed("Error: this run fires no schedules, so one that ends with it would never come; make it durable");
			}
			const schedule = await schedules.add(parsed.data);
			const where = fires ? "" : "\nThis run fires no schedules: the next interactive session of the project does.";
			return said(`Scheduled: ${describeSchedule(schedule)}${where}`);
		},
		async list_crons() {
			return said(formatSchedules(schedules.list()).join("\n"));
		},
		async cancel_cron(input) {
			const parsed = cronInputSchemas.cancel_cron.safeParse(input);
			if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
			const { id } = parsed.data;
			if (await schedules.cancel(id)) return said(`Cancelled: ${id}`);
			const ids = schedules.list().map((each) => each.id);
			return failed(`Error: there is no schedule '${id}'. Schedules: ${ids.join(", ") || "none"}`);
		},
	};

	return async (name, input) => {
		if (!Object.hasOwn(handlers, name)) return failed(`Error: there is no call '${name}' for schedules`);
		try {
			return await handlers[name as CronToolName](input);
		} catch (thrown) {
			if (!isClowderError(thrown)) throw thrown;
			return failed(`Error: ${thrown.message}`);
		}
	};
}

const said = (content: string): CronCallResult => ({ content, isError: false });
const failed = (content: string): CronCallResult => ({ content, isError: true });
