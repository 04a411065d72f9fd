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
		const alive = await this.#areAlive(others);
		const abandoned = others.filter((claim) => this.#isAbandoned(claim, alive.get(claim.owner.sessionId)));
		if (abandoned.length > 0) await release(abandoned);
		this.#overdue = new Map(others.filter((claim) => this.#isOverdue(claim)).map((claim) => [claim.owner.id, claim]));
	}

	async #areAlive(claims: readonly Claim[]): Promise<Map<string, boolean | undefined>> {
		const sessions = [...new Set(claims.map((claim) => claim.owner.sessionId))];
		return new Map(
			await Promise.all(sessions.map(async (id) => [id, await this.#options.isSessionAlive(id)] as const)),
		);
	}

	// A process that runs may be late with its lease, as one that is stopped or on a slow disk: what it holds is its own.
	#isAbandoned(claim: Claim, isAlive: boolean | undefined): boolean {
		return isAlive === undefined ? this.#isOverdueAgain(claim) : !isAlive;
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
