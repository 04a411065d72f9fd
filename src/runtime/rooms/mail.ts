// Ties the bus to the runs: which address is whose, what a finished run tells its parent, who is woken.

import type { MessageBus } from "../../bus/contract.ts";
import { isClowderError } from "../../errors.ts";
import { endNotification } from "../../subagents/notification.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { Envelope, EnvelopeKind, OutgoingEnvelope } from "../../wire/envelope.ts";

/**
 * The name other agents and the bus know a run by, and its transcript's: a lead's and a teammate's mailbox and
 * conversation outlive each of their runs.
 */
export function addressOf(run: LiveRun): string {
	return run.spec.kind === "subagent" ? run.spec.id : run.spec.name;
}

const wakes = ({ data }: Envelope) => data?.quiet !== true;

/** What other agents wrote; the other kinds are what the program tells. */
const WRITTEN: ReadonlySet<EnvelopeKind> = new Set(["message", "broadcast"]);

export interface Mail {
	/** Opens a teammate's address before it has a run. */
	openAddress(address: string): void;
	/** Closes a teammate's address for good; what waits there becomes dead letters. */
	closeAddress(address: string): Promise<void>;
	/** A run is about to get a thread: its address exists from here on. `known`: envelopes its history holds. */
	open(run: LiveRun, known: readonly string[]): Promise<void>;
	/** The run's thread reads commands: deliver what waits and what comes. */
	attach(run: LiveRun): void;
	/** The run is over. A subagent's address goes with it; a lead's and a teammate's mailbox waits for a successor. */
	close(run: LiveRun): Promise<void>;
	/** Tells the parent of a background run how it ended. */
	announceEnd(run: LiveRun): Promise<void>;
	acknowledge(run: LiveRun, ids: readonly string[]): Promise<void>;
	/** What is not part of its history yet. */
	waiting(run: LiveRun): readonly Envelope[];
	/** Mail waits that a resting agent is woken for; quiet tidings wait for its next turn. */
	waitsFor(run: LiveRun): boolean;
	/** Drops what was to be told of a conversation that is forgotten; answers the ids. Messages of others stay. */
	forgetTidings(address: string): Promise<string[]>;
}

/** @param missed what an address has to be told when it is opened; what its history holds already is left out. */
export function createMail(
	bus: MessageBus,
	supervisor: () => RunSupervisor,
	missed: (address: string) => Promise<readonly OutgoingEnvelope[]>,
): Mail {
	const runs = new Map<string, LiveRun>();
	/** Open on the bus; those of leads and teammates outlive their runs. */
	const addresses = new Set<string>();
	/** Addresses that were told what they had missed. */
	const told = new Set<string>();

	async function tellMissed(address: string, known: ReadonlySet<string>): Promise<void> {
		for (const envelope of await missed(address)) {
			if (!known.has(envelope.id ?? "")) await bus.send("supervisor", envelope);
		}
	}

	function openAddress(address: string): void {
		if (addresses.has(address)) return;
		bus.register(address);
		addresses.add(address);
	}

	async function closeAddress(address: string): Promise<void> {
		addresses.delete(address);
		told.delete(address);
		await bus.unregister(address, { deadLetters: true });
	}

	const waiting = (run: LiveRun) => (addresses.has(addressOf(run)) ? bus.peek(addressOf(run)) : []);

	return {
		openAddress,
		closeAddress,
		open: async (run, known) => {
			const address = addressOf(run);
			runs.set(address, run);
			openAddress(address);
			if (known.length > 0) await bus.acknowledge(address, known);
			if (told.has(address) || run.spec.kind === "subagent") return;
			told.add(address);
			await tellMissed(address, new Set(known));
		},
		attach: (run) => {
			bus.attach(addressOf(run), {
				deliver: (envelopes) => {
					run.thread?.post({ type: "deliver-envelopes", envelopes });
					if (envelopes.some(wakes)) supervisor().noteMail(run);
				},
			});
		},
		close: async (run) => {
			const address = addressOf(run);
			if (runs.get(address) !== run) return;
			runs.delete(address);
			bus.detach(address);
			if (run.spec.kind === "subagent") await closeAddress(address);
		},
		announceEnd: async (run) => {
			if (!run.parent || !run.spec.background) return;
			try {
				await bus.send("supervisor", endNotification(run.record, addressOf(run.parent)));
			} catch (thrown) {
				// A parent that has ended as well has nobody to tell.
				if (!isClowderError(thrown) || thrown.code !== "ERR_UNKNOWN_RECEIVER") throw thrown;
			}
		},
		acknowledge: async (run, ids) => {
			if (ids.length > 0) await bus.acknowledge(addressOf(run), ids);
		},
		forgetTidings: async (address) => {
			const waiting = addresses.has(address) ? bus.peek(address) : [];
			const ids = waiting.filter(({ kind }) => !WRITTEN.has(kind)).map(({ id }) => id);
			if (ids.length > 0) await bus.acknowledge(address, ids);
			return ids;
		},
		waiting,
		waitsFor: (run) => waiting(run).some(wakes),
	};
}
