// Durable schedules of the project and their deliveries in the store. Several processes share them: each change looks
// at what is there inside one transaction.

import type { Store } from "../store/store.ts";
import { type Delivery, deliverySchema, type Schedule, scheduleSchema } from "./schedule.ts";

export interface ScheduleStore {
	list(): Schedule[];
	deliveries(): Delivery[];
	put(schedule: Schedule): Promise<void>;
	/** False when it was not there. */
	remove(id: string): Promise<boolean>;
	/**
	 * A schedule is due: saves its delivery and moves it on, in one step. Nothing happens when another process was
	 * first. While a delivery of the schedule waits, no second one is added.
	 */
	take(due: Schedule, nextAt: number | undefined, delivery: Delivery): Promise<void>;
	/** Takes over a delivery of a session that is gone; false when another process was first. */
	adopt(delivery: Delivery, sessionId: string, to: string): Promise<boolean>;
	/** A delivery is part of a history now. */
	settle(ids: readonly string[]): Promise<void>;
}

export function createScheduleStore(store: Store): ScheduleStore {
	const schedules = store.table("cron-schedules", scheduleSchema);
	const deliveries = store.table("cron-deliveries", deliverySchema);
	const values = <T>(entries: readonly { readonly value: T }[]) => entries.map(({ value }) => value);

	return {
		list: () => values(schedules.entries()),
		deliveries: () => values(deliveries.entries()),
		put: (schedule) => store.transaction(() => schedules.set(schedule.id, schedule)),
		remove: (id) =>
			store.transaction(() => {
				const found = schedules.get(id) !== undefined;
				schedules.remove(id);
				return found;
			}),
		take: (due, nextAt, delivery) =>
			store.transaction(() => {
				const now = schedules.get(due.id);
				if (now?.nextAt !== due.nextAt) return;
				const waits = values(deliveries.entries()).some((each) => each.scheduleId === due.id);
				if (!waits) deliveries.set(delivery.id, delivery);
				if (nextAt === undefined) schedules.remove(due.id);
				else schedules.set(due.id, { ...now, nextAt });
			}),
		adopt: (delivery, sessionId, to) =>
			store.transaction(() => {
				if (deliveries.get(delivery.id)?.sessionId !== delivery.sessionId) return false;
				deliveries.set(delivery.id, { ...delivery, sessionId, to });
				return true;
			}),
		settle: (ids) =>
			store.transaction(() => {
				for (const id of ids) deliveries.remove(id);
			}),
	};
}
