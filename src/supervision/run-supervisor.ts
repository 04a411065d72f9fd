// The owner of every run's life on the main thread: PENDING → RUNNING → COMPLETED | FAILED.
// A run reaches a terminal state once, by one CAS on its board row; result, thread exit, error, deadline and
// cancel all race to it, and whoever wins releases everything the run holds (finish-run.ts).
// Knows nothing of tools, teams or models: those come in through RunSupervisorOptions.

import { messageOf } from "../errors.ts";
import { createEmitter, type Unsubscribe } from "../lib/emitter.ts";
import type { RunOutcome, RunRecord } from "../wire/run.ts";
import { admitRun } from "./admit-run.ts";
import { afterFinish } from "./after-finish.ts";
import { holdIdleWatch, pauseWatch, startDeadlineWatch } from "./deadline-watch.ts";
import { followPrompt, settleIdle } from "./follow-prompt.ts";
import type { LiveRun, RunSpec, StopRequest } from "./live-run.ts";
import { SlotQueue } from "./slot-queue.ts";
import { Slots } from "./slots.ts";
import { startRun } from "./start-run.ts";
import { stopFamily, stopRun } from "./stop-run.ts";
import { pump, type RunSupervisorOptions, type SupervisorEvents, type SupervisorState } from "./supervisor-state.ts";

export class RunSupervisor {
	readonly #state: SupervisorState;
	readonly #slots: Slots;
	readonly #stopWatch: () => void;

	constructor(options: RunSupervisorOptions) {
		this.#slots = new Slots(options.board.shared.header, options.maxConcurrent);
		const start = (run: LiveRun) => startRun(this.#state, run);
		this.#state = {
			options,
			runs: new Map(),
			queue: new SlotQueue({ slots: this.#slots, maxQueued: options.maxQueued, start }),
			changes: createEmitter<SupervisorEvents>((thrown) => options.onWarning(messageOf(thrown))),
			settling: new Set(),
			afterFinish: (run, finished) => afterFinish(this.#state, run, finished),
			threads: 0,
			lostThreads: 0,
			waitingParents: 0,
			closed: false,
		};
		const watch = startDeadlineWatch({
			clock: options.clock,
			board: options.board,
			intervalMs: options.watchIntervalMs,
			runs: () => this.#state.runs.values(),
			onOverdue: (run, { reason, why, atOnce }) => {
				for (const child of run.children)
					stopFamily(this.#state, child, { reason: "cancelled", why: "its parent is stopped" });
				stopRun(this.#state, run, { reason, why }, { atOnce });
			},
		});
		this.#stopWatch = () => watch.cancel();
	}

	/** A run that has not ended. */
	get(id: string): LiveRun | undefined {
		return this.#state.runs.get(id);
	}

	/** Runs that have not ended, oldest first. */
	live(): LiveRun[] {
		return [...this.#state.runs.values()];
	}

	counts() {
		return {
			running: this.#slots.taken,
			limit: this.#slots.limit,
			queued: this.#state.queue.queued,
			threads: this.#state.threads,
			lostThreads: this.#state.lostThreads,
		};
	}

	onRunChanged(listener: (record: RunRecord) => void): Unsubscribe {
		return this.#state.changes.on("run-changed", listener);
	}

	/** Takes a run in: PENDING now, RUNNING as soon as a slot is free. @throws ERR_CLOSED, ERR_MAX_CONCURRENT */
	accept(spec: RunSpec): LiveRun {
		const run = admitRun(this.#state, spec);
		if (spec.kind === "subagent") {
			this.#state.queue.enqueue(run);
			pump(this.#state);
		} else {
			startRun(this.#state, run);
		}
		return run;
	}

	/** Stops one run and its children. Resolves, when all of them have ended, with who was stopped by this call. */
	async cancel(id: string, stop: StopRequest): Promise<{ readonly stopped: readonly string[] }> {
		const run = this.#state.runs.get(id);
		if (!run) return { stopped: [] };
		const stopped = stopFamily(this.#state, run, stop);
		await Promise.all(stopped.map((member) => member.ended.promise));
		await run.ended.promise;
		return { stopped: stopped.map((member) => member.spec.id) };
	}

	/**
	 * Waits for a child on behalf of a parent that does nothing else meanwhile: lends the parent's slot, and
	 * takes it again before PENDING runs get one.
	 */
	async awaitChild(parent: LiveRun, child: LiveRun): Promise<RunRecord> {
		this.#state.waitingParents += 1;
		const resumeIdleClock = holdIdleWatch(parent, this.#state.options.clock);
		if (!child.isTerminal) this.#state.queue.lend(parent, child);
		pump(this.#state);
		try {
			const record = await child.ended.promise;
			await this.#state.queue.slotIsBack(parent);
			return record;
		} finally {
			this.#state.waitingParents -= 1;
			resumeIdleClock();
		}
	}

	/** Whether one more parent may wait for a child without all threads waiting for each other. */
	get mayAwaitChild(): boolean {
		return this.#state.waitingParents + 1 < this.#state.options.maxThreads;
	}

	/** Stops a run's wall and idle clocks while a person is asked; call the result to let them go on. */
	pauseClocks(run: LiveRun): () => void {
		return pauseWatch(run, this.#state.options.clock);
	}

	/** Mail waits: an idle agent reads it now, a busy one at its next turn boundary. */
	noteMail(run: LiveRun): void {
		run.emptyWakes = 0;
		settleIdle(this.#state, run);
	}

	/** Gives a lead or teammate its next prompt. Never rejects. */
	prompt(run: LiveRun, text: string): Promise<RunOutcome> {
		const finished = run.prompts.enqueue(text);
		followPrompt(this.#state, run, finished, false);
		return finished;
	}

	/** Lets a lead or teammate shorten its conversation, after the prompts before. Never rejects. */
	compact(run: LiveRun, focus: string): Promise<RunOutcome> {
		const finished = run.prompts.enqueue(undefined, focus);
		followPrompt(this.#state, run, finished, false);
		return finished;
	}

	/** Stops what the agent does now; the agent and its conversation stay. */
	interrupt(run: LiveRun, why: string): void {
		if (run.prompts.busy) run.thread?.post({ type: "interrupt-prompt", reason: why });
	}

	/** Stops everything; resolves when every thread is gone or written off and every record is saved. */
	async close(why: string): Promise<void> {
		this.#state.closed = true;
		await Promise.all(this.live().map((run) => this.cancel(run.spec.id, { reason: "cancelled", why })));
		while (this.#state.settling.size > 0) await Promise.all(this.#state.settling);
		this.#stopWatch();
		this.#state.changes.removeAll();
	}
}
