// Who is in the team now: each member with the run that carries it. The one place that says what state a member is
// in; it is worked out from the run, the mail and the plan gate, and kept nowhere.

import type { LiveRun } from "../supervision/live-run.ts";
import type { UsageTotals } from "../wire/run.ts";
import { type Member, nameKey, type TeammateStatus } from "./member.ts";
import type { PlanGate } from "./protocols/plan-gate.ts";

/** A member as this process has it. */
export interface Place {
	member: Member;
	/** The run that carries it; undefined before the first and after the last. */
	run: LiveRun | undefined;
	readonly gate: PlanGate;
	/** Settles when a shutdown that was begun is over. */
	stopping: Promise<void> | undefined;
	/** Between two runs: it is being spawned or started again. Never rejects. */
	starting: Promise<void> | undefined;
	/** Ids of envelopes that became part of its history since it rested last. */
	readSinceRest: string[];
	/** Times in a row that a hook did not let it rest. */
	heldByHook: number;
	/** Times it came to rest in its present run. */
	rests: number;
	/** The claim the gate knows of: a new one is a new task. */
	knownClaim: string | undefined;
}

/** A teammate, as people and programs see it. */
export interface Teammate {
	readonly name: string;
	readonly role: string;
	readonly agentType: string;
	readonly status: TeammateStatus;
	/** Why it failed or stopped. */
	readonly reason?: string;
	readonly error?: string;
	readonly runId: string;
	/** What its present run used; zero for one that does not live. */
	readonly usage?: UsageTotals;
	readonly requirePlan: boolean;
}

export class Roster {
	readonly #places = new Map<string, Place>();
	/** Nobody is started again. */
	closed = false;
	readonly #hasMail: (run: LiveRun) => boolean;

	constructor(hasMail: (run: LiveRun) => boolean) {
		this.#hasMail = hasMail;
	}

	/** In the order of spawning. */
	all(): Place[] {
		return [...this.#places.values()].sort((a, b) => a.member.order - b.member.order);
	}

	find(name: string): Place | undefined {
		return this.#places.get(nameKey(name));
	}

	/** The member that a run carries. */
	byRun(runId: string): Place | undefined {
		for (const place of this.#places.values()) if (place.member.runId === runId) return place;
		return undefined;
	}

	put(place: Place): void {
		this.#places.set(nameKey(place.member.name), place);
	}

	remove(name: string): void {
		this.#places.delete(nameKey(name));
	}

	status(place: Place): TeammateStatus {
		const { member, run, gate } = place;
		if (this.isWorking(place)) return waitsForPerson(run) ? "WAITING_APPROVAL" : "RUNNING";
		if (!run || run.isTerminal) return member.end?.status ?? "FAILED";
		return gate.state.kind === "submitted" ? "WAITING_APPROVAL" : "IDLE";
	}

	/** It works, or is about to; also one that has ended and may be started again. */
	isWorking({ member, run, starting }: Place): boolean {
		if (starting !== undefined) return true;
		if (!run) return false;
		// Its end is known when it is decided whether it is started again.
		if (run.isTerminal) return member.end === undefined && !this.closed;
		return !run.thread || run.prompts.busy || this.#hasMail(run);
	}

	/** Members that live or are about to. */
	live(): Place[] {
		return this.all().filter((place) => isLive(place));
	}

	describe(place: Place): Teammate {
		const { member, run } = place;
		const status = this.status(place);
		const end = member.end ?? (status === "FAILED" ? { reason: "interrupted", error: undefined } : undefined);
		return {
			name: member.name,
			role: member.role,
			agentType: member.agentType,
			status,
			...(end ? { reason: end.reason } : {}),
			...(end?.error === undefined ? {} : { error: end.error }),
			runId: member.runId,
			...(run && !run.isTerminal ? { usage: run.usage() } : {}),
			requirePlan: member.requirePlan,
		};
	}
}

export function isLive({ run, starting }: Place): boolean {
	return starting !== undefined || (run !== undefined && !run.isTerminal);
}

/** A person is asked for it: its clocks stand still. */
function waitsForPerson(run: LiveRun | undefined): boolean {
	return (run?.watch?.pauses ?? 0) > 0;
}
