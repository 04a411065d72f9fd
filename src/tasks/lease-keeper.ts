// Keeps the leases of this process's owners alive and ends those whose owner cannot be alive any more. That a
// single agent has ended is the supervisor's to tell (`TaskBoard.releaseOwner`); this is for whole processes.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import type { Claim } from "./task-tables.ts";

export interface LeaseKeeperOptions {
	readonly clock: Clock;
	readonly sessionId: string;
	readonly roundMs: number;
	/** Whether the process of a session still runs; undefined when that is not known. */
	isSessionAlive(sessionId: string): Promise<boolean | undefined>;
	claims(): readonly Claim[];
	renew(claims: readonly Claim[]): Promise<void>;
	release(claims: readonly Claim[]): Promise<void>;
	/** A round failed, e.g. because the disk is full; the next one tries again. */
	onError(thrown: unknown): void;
}

export class LeaseKeeper {
	readonly #options: LeaseKeeperOptions;
	/** Claims of others that were overdue in the last round, by owner. */
	#overdue = new Map<string, Claim>();
	#timer: TimerHandle | undefined;
	#round: Promise<void> | undefined;

	constructor(options: LeaseKeeperOptions) {
		this.#options = options;
	}

	start(): void {
		const { clock, roundMs } = this.#options;
		this.#timer ??= clock.every(roundMs, () => void this.runRound());
	}

	/** Waits for a round under way. */
	async stop(): Promise<void> {
		this.#timer?.cancel();
		this.#timer = undefined;
		await this.#round;
	}

	/** One round: renews, looks for the dead, releases. A round that is still under way is not doubled. */
	runRound(): Promise<void> {
		this.#round ??= this.#work()
			.catch((thrown) => this.#options.onError(thrown))
			.finally(() => {
				this.#round = undefined;
			});
		return this.#round;
	}

	/** A round that begins now, after one that is under way. */
	async runRoundNow(): Promise<void> {
		await this.#round;
		await this.runRound();
	}

	async #work(): Promise<void> {
		const { sessionId, claims, renew, release } = this.#options;
		const all = claims();
		const mine = all.filter((claim) => claim.owner.sessionId === sessionId);
		if (mine.length > 0) await renew(mine);
		const others = all.filter((claim) => claim.owner.sessionId !== sessionId);
		const dead = await this.#deadSessions(others);
		const abandoned = others.filter((claim) => dead.has(claim.owner.sessionId) || this.#isOverdueAgain(claim));
		if (abandoned.length > 0) await release(abandoned);
		this.#overdue = new Map(others.filter((claim) => this.#isOverdue(claim)).map((claim) => [claim.owner.id, claim]));
	}

	async #deadSessions(claims: readonly Claim[]): Promise<Set<string>> {
		const sessions = [...new Set(claims.map((claim) => claim.owner.sessionId))];
		const alive = await Promise.all(sessions.map((id) => this.#options.isSessionAlive(id)));
		return new Set(sessions.filter((_, index) => alive[index] === false));
	}

	// A machine that was asleep wakes with every lease overdue: their owners get a round to renew them.
	#isOverdueAgain(claim: Claim): boolean {
		const before = this.#overdue.get(claim.owner.id);
		return this.#isOverdue(claim) && before?.leaseUntil === claim.leaseUntil && before.taskId === claim.taskId;
	}

	#isOverdue(claim: Claim): boolean {
		return claim.leaseUntil <= this.#options.clock.now();
	}
}
