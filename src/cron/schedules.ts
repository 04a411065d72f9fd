// Fires schedules at the lead of this session, when it is idle. The way of one firing:
//   1 due: the delivery is saved and the schedule moved on, in one step (schedule-store.ts)
//   2 the lead is idle: the delivery goes into its mailbox, under an id of its own
//   3 it is part of the lead's history: the saved delivery is dropped
// A crash between any two steps leaves the saved delivery: whoever comes next delivers it, unless the history has it.
// A schedule that came due several times while the lead was busy, or nobody was there, fires once.

import { ClowderError, messageOf } from "../errors.ts";
import type { Clock, TimerHandle } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Store } from "../store/store.ts";
import { parseComing, parseCron } from "./cron-expression.ts";
import { type Delivery, deliveryId, isDeliveryId, type Schedule } from "./schedule.ts";
import { createScheduleStore } from "./schedule-store.ts";

export interface SchedulesOptions {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	/** An IANA name. @default the machine's */
	readonly timeZone?: string;
	/** The agent that gets what comes due, and whether it rests now; undefined while there is none. */
	lead(): { readonly address: string; readonly isIdle: boolean } | undefined;
	/** Hands a delivery over. Resolves when it is in the mailbox. */
	deliver(delivery: Delivery): Promise<void>;
	/** Whether the history that a delivery was meant for holds it already. */
	wasRead(delivery: Delivery): Promise<boolean>;
	/** Whether a process has a session open. */
	isSessionOpen(sessionId: string): Promise<boolean>;
	/** A delivery is taken over from a session that is gone: what waits there of it is dropped. */
	withdraw(delivery: Delivery): Promise<void>;
	onWarning(text: string): void;
}

export interface WantedSchedule {
	readonly cron: string;
	readonly prompt: string;
	/** @default true */
	readonly recurring?: boolean | undefined;
	/** @default true */
	readonly durable?: boolean | undefined;
}

export interface Schedules {
	/** Resolves when it is on record. @throws ERR_BAD_INPUT with the field and its bounds */
	add(wanted: WantedSchedule): Promise<Schedule>;
	/** The next to come first; those of this session and the project's durable ones. */
	list(): Schedule[];
	/** False when there is none of that id. What came due before stays. */
	cancel(id: string): Promise<boolean>;
	/** Envelopes are part of the lead's history. */
	noteRead(envelopeIds: readonly string[]): Promise<void>;
	/** Begins to look for what is due. */
	start(): void;
	/** One look. Called by a timer. */
	look(): Promise<void>;
	close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** How often deliveries of sessions that are gone are looked for. */
const ADOPT_MS = 30_000;
const MAX_SCHEDULES = 100;
const MAX_PROMPT_CHARS = 50_000;

export function createSchedules(options: SchedulesOptions): Schedules {
	const { clock, sessionId, timeZone } = options;
	const store = createScheduleStore(options.store);
	const own = new Map<string, Schedule>();
	/** Deliveries of schedules that are not durable. */
	const ownDeliveries = new Map<string, Delivery>();
	/** In the mailbox, and not yet read. */
	const handedOver = new Set<string>();
	let timer: TimerHandle | undefined;
	let looking: Promise<void> | undefined;
	let adoptedAtMs = Number.NEGATIVE_INFINITY;

	const all = () => [...own.values(), ...store.list()];
	const waiting = () => [
		...ownDeliveries.values(),
		...store.deliveries().filter((each) => each.sessionId === sessionId),
	];

	async function takeDue(to: string): Promise<void> {
		const now = clock.now();
		for (const schedule of all().filter(({ nextAt }) => nextAt <= now)) {
			const { id: scheduleId, cron, prompt, nextAt: dueAt, recurring, durable } = schedule;
			const delivery = { id: deliveryId(schedule), scheduleId, cron, prompt, dueAt, sessionId, to };
			const nextAt = recurring ? parseCron(cron, timeZone).next(now) : undefined;
			if (durable) await store.take(schedule, nextAt, delivery);
			else takeOwn(schedule, nextAt, delivery);
		}
	}

	function takeOwn(schedule: Schedule, nextAt: number | undefined, delivery: Delivery): void {
		const waits = [...ownDeliveries.values()].some((each) => each.scheduleId === schedule.id);
		if (!waits) ownDeliveries.set(delivery.id, delivery);
		if (nextAt === undefined) own.delete(schedule.id);
		else own.set(schedule.id, { ...schedule, nextAt });
	}

	/** Deliveries that a process left behind when it went, this session's former ones included. */
	async function adopt(to: string): Promise<void> {
		if (clock.monotonicMs() - adoptedAtMs < ADOPT_MS) return;
		const isFirst = adoptedAtMs === Number.NEGATIVE_INFINITY;
		adoptedAtMs = clock.monotonicMs();
		for (const delivery of store.deliveries()) {
			const isMine = delivery.sessionId === sessionId;
			if (isMine ? !isFirst : await options.isSessionOpen(delivery.sessionId)) continue;
			if (await options.wasRead(delivery)) await store.settle([delivery.id]);
			else if (!isMine && (await store.adopt(delivery, sessionId, to))) await options.withdraw(delivery);
		}
	}

	async function lookOnce(): Promise<void> {
		const lead = options.lead();
		if (!lead) return;
		await adopt(lead.address);
		await takeDue(lead.address);
		const next = waiting()
			.filter(({ id }) => !handedOver.has(id))
			.sort((a, b) => a.dueAt - b.dueAt)[0];
		// Race: the lead may have begun to work while the store was asked.
		if (!next || !options.lead()?.isIdle) return;
		handedOver.add(next.id);
		await options.deliver({ ...next, to: lead.address }).catch((thrown: unknown) => {
			handedOver.delete(next.id);
			throw thrown;
		});
	}

	function look(): Promise<void> {
		looking ??= lookOnce()
			.catch((thrown: unknown) => options.onWarning(`Schedules could not be looked at: ${messageOf(thrown)}`))
			.finally(() => {
				looking = undefined;
			});
		return looking;
	}

	return {
		async add({ cron, prompt, recurring = true, durable = true }) {
			const { text, nextMs } = parseComing(cron, clock.now(), timeZone);
			if (prompt.trim() === "") throw badInput("the prompt is empty");
			if (prompt.length > MAX_PROMPT_CHARS) throw badInput(`the prompt is longer than ${MAX_PROMPT_CHARS} characters`);
			if (all().length >= MAX_SCHEDULES)
				throw badInput(`there are ${MAX_SCHEDULES} schedules already; cancel one first`);
			const times = { createdAt: clock.now(), nextAt: nextMs };
			const schedule: Schedule = { id: newId("cron"), cron: text, prompt, recurring, durable, ...times };
			if (durable) await store.put(schedule);
			else own.set(schedule.id, schedule);
			return schedule;
		},
		list: () => all().sort((a, b) => a.nextAt - b.nextAt),
		cancel: async (id) => own.delete(id) || store.remove(id),
		async noteRead(envelopeIds) {
			const read = envelopeIds.filter(isDeliveryId);
			if (read.length === 0) return;
			for (const id of read) ownDeliveries.delete(id);
			await store.settle(read);
			for (const id of read) handedOver.delete(id);
		},
		start() {
			timer ??= clock.every(LOOK_MS, () => void look());
		},
		look,
		async close() {
			timer?.cancel();
			await looking;
		},
	};
}

const badInput = (why: string) => new ClowderError("ERR_BAD_INPUT", why);
