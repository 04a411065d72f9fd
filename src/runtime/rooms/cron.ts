// Ties the schedules to the lead: whom they wake, when it is idle, and what its history holds already.

import type { MessageBus } from "../../bus/contract.ts";
import { createCronCalls } from "../../cron/cron-calls.ts";
import { scheduledPrompt } from "../../cron/cron-texts.ts";
import type { Delivery } from "../../cron/schedule.ts";
import { createSchedules, type Schedules } from "../../cron/schedules.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import { loadTranscript } from "../../store/transcripts.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { isSessionOpen } from "../sessions/session-state.ts";
import type { RoomHandler } from "./room-calls.ts";
import { leadOf } from "./team.ts";

/** Who sends scheduled prompts. */
const SENDER = "cron";

export interface CronParts {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	readonly bus: MessageBus;
	/** Whether this process fires schedules. */
	readonly fires: boolean;
	/** Runs that have not ended, oldest first. */
	runs(): readonly LiveRun[];
	/** Whether a lead has nothing to do; tidings that wait for its next turn do not count. */
	rests(lead: LiveRun): boolean;
	onWarning(text: string): void;
}

export interface CronRoom {
	readonly schedules: Schedules;
	/** Fires what comes due from now on, where this process does. */
	start(): void;
	readonly call: RoomHandler;
}

export function createCronRoom({ store, clock, sessionId, bus, fires, runs, rests, onWarning }: CronParts): CronRoom {
	const schedules = createSchedules({
		store,
		clock,
		sessionId,
		lead: () => {
			const run = leadOf(runs().filter(({ thread }) => thread !== undefined));
			return run && { address: run.spec.name, isIdle: rests(run) };
		},
		deliver: async (delivery) => void (await bus.send(SENDER, scheduledPrompt(delivery))),
		wasRead: async (delivery) => {
			const path = store.transcriptPath(delivery.sessionId, delivery.to);
			return (await loadTranscript(path)).acknowledged.includes(delivery.id);
		},
		isSessionOpen: (id) => isSessionOpen(store.sessions.get(id)),
		withdraw: (delivery) => withdraw(store, delivery),
		onWarning,
	});
	const calls = createCronCalls(schedules, { fires });
	const start = () => void (fires && schedules.start());
	return { schedules, start, call: (_run, name, input) => calls(name, input) };
}

/** Takes a delivery out of the mailbox of a session that is gone, so that it does not come there as well. */
async function withdraw(store: Store, { sessionId, to, id }: Delivery): Promise<void> {
	const mail = store.mailboxes(sessionId);
	const waits = mail.load(to).waiting.filter((envelope) => envelope.id === id);
	if (waits.length === 0) return;
	await mail.settle(
		to,
		waits.map(({ from, seq }) => ({ id, from, seq })),
		[],
	);
}
