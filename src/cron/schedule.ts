// Schedules, and deliveries that wait, as they are recorded.

import * as z from "zod";

export const scheduleSchema = z.object({
	id: z.string(),
	/** Five fields, local time. */
	cron: z.string(),
	prompt: z.string(),
	/** Comes again and again; otherwise once. */
	recurring: z.boolean(),
	/** Kept for later sessions of the project; otherwise it ends with its session. */
	durable: z.boolean(),
	/** Milliseconds since the Unix epoch, as is the next. */
	createdAt: z.number(),
	nextAt: z.number(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

export const deliverySchema = z.object({
	/** Also the envelope's: made of the schedule and the moment, so that the same delivery has the same id anywhere. */
	id: z.string(),
	scheduleId: z.string(),
	cron: z.string(),
	prompt: z.string(),
	dueAt: z.number(),
	/** The session whose process is to deliver it, and the agent it goes to. */
	sessionId: z.string(),
	to: z.string(),
});
/** A prompt that came due and is not yet part of the lead's history. */
export type Delivery = z.infer<typeof deliverySchema>;

const DELIVERY_PREFIX = "cron-";

export const deliveryId = (schedule: Schedule) => `${DELIVERY_PREFIX}${schedule.id}-${schedule.nextAt}`;
/** Whether an envelope's id is that of a scheduled prompt. */
export const isDeliveryId = (id: string) => id.startsWith(DELIVERY_PREFIX);
