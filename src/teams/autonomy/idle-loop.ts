// When a round of the claimer is due: at once after each change of the board and each poke, and now and then
// without an occasion. Main thread. Tells people what each round did.

import type { Clock, TimerHandle } from "../../lib/clock.ts";
import type { Unsubscribe } from "../../lib/emitter.ts";
import type { TaskBoardHand } from "../../tasks/task-board.ts";
import type { AutoClaimer, ClaimEntry } from "./auto-claimer.ts";
import type { AutonomousConfig } from "./autonomous-config.ts";

export interface AutoNotice {
	/** Unique per task, claim and kind. */
	readonly id: string;
	readonly text: string;
}

export interface IdleLoopOptions {
	readonly claimer: Pick<AutoClaimer, "tick" | "offerAnew">;
	readonly board: Pick<TaskBoardHand, "onChange">;
	readonly clock: Clock;
	readonly config: AutonomousConfig;
	/** Whether tasks may be handed out now: the lead is idle. What became of those handed out is looked at anyway. */
	shouldRun(): boolean;
	notices(notice: AutoNotice): void;
	/** Hears what went wrong in a round; the loop goes on. */
	onError(thrown: unknown): void;
	/** Hears that no round is under way or due any more. */
	onRest?(): void;
}

export class IdleLoop {
	readonly #options: IdleLoopOptions;
	#timer: TimerHandle | undefined;
	#unsubscribe: Unsubscribe | undefined;
	#isEnabled = true;
	#isDue = false;
	#rounds: Promise<void> | undefined;
	#claimed = 0;
	#completed = 0;

	constructor(options: IdleLoopOptions) {
		this.#options = options;
	}

	/** Begins with a round. Harmless when it runs already. */
	start(): void {
		if (this.#timer) return;
		const { board, clock, config } = this.#options;
		this.#timer = clock.every(config.tickIntervalMs, () => this.poke());
		this.#unsubscribe = board.onChange(() => this.poke());
		this.poke();
	}

	/** Resolves when the round in hand has ended. */
	async stop(): Promise<void> {
		this.#timer?.cancel();
		this.#timer = undefined;
		this.#unsubscribe?.();
		await this.#rounds;
	}

	isRunning(): boolean {
		return this.#timer !== undefined;
	}

	/** No round is under way or due. */
	isAtRest(): boolean {
		return this.#rounds === undefined;
	}

	/** Whether ready tasks are handed out. Turning it on offers tasks that came back to everybody again. */
	setEnabled(isEnabled: boolean): void {
		if (isEnabled && !this.#isEnabled) this.#options.claimer.offerAnew();
		this.#isEnabled = isEnabled;
		if (isEnabled) this.poke();
	}

	isEnabled(): boolean {
		return this.#isEnabled;
	}

	claimedCount(): number {
		return this.#claimed;
	}

	completedCount(): number {
		return this.#completed;
	}

	tickIntervalMillis(): number {
		return this.#options.config.tickIntervalMs;
	}

	/** Something may be possible now: a member became idle or ended, the lead came to rest. Many pokes make one round. */
	poke(): void {
		if (!this.#timer) return;
		this.#isDue = true;
		this.#rounds ??= this.#runRounds();
	}

	async #runRounds(): Promise<void> {
		while (this.#isDue && this.isRunning()) {
			this.#isDue = false;
			await this.#runRound();
		}
		// Race: in the same step as the last look at `#isDue`, or a poke in between would be lost.
		this.#rounds = undefined;
		this.#options.onRest?.();
	}

	async #runRound(): Promise<void> {
		const { claimer, onError } = this.#options;
		try {
			const { completed, returned, claimed, failures } = await claimer.tick({ claim: () => this.#mayClaim() });
			this.#completed += completed.length;
			this.#claimed += claimed.length;
			this.#tell("completed", completed);
			this.#tell("given back", returned);
			this.#tell("claimed", claimed);
			failures.forEach(onError);
		} catch (thrown) {
			onError(thrown);
		}
	}

	#mayClaim(): boolean {
		return this.#isEnabled && this.isRunning() && this.#options.shouldRun();
	}

	#tell(what: "claimed" | "completed" | "given back", entries: readonly ClaimEntry[]): void {
		for (const { taskId, teammate, claimVersion } of entries) {
			const id = `auto-${what.replace(" ", "-")}-${taskId}-v${claimVersion}`;
			try {
				this.#options.notices({ id, text: `auto - task ${taskId} ${what} by ${teammate}` });
			} catch (thrown) {
				this.#options.onError(thrown);
			}
		}
	}
}
