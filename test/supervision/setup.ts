import type { LiveRun, RunSpec } from "../../src/supervision/live-run.ts";
import { ProcessLedger } from "../../src/supervision/process-ledger.ts";
import { RunSupervisor } from "../../src/supervision/run-supervisor.ts";
import { StatusBoard } from "../../src/supervision/status-board.ts";
import type { RunSupervisorOptions } from "../../src/supervision/supervisor-state.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { AgentInit } from "../../src/wire/control.ts";
import type { RunRecord } from "../../src/wire/run.ts";
import { createFakeLauncher } from "./fake-launcher.ts";

/** A supervisor over threads that the test plays. */
export function setUpSupervisor(overrides: Partial<RunSupervisorOptions> = {}) {
	const clock = createFakeClock();
	const board = new StatusBoard({ rows: 16 });
	const launcher = createFakeLauncher();
	const saved: RunRecord[] = [];
	const ended: string[] = [];
	const killedGroups: number[] = [];
	const warnings: string[] = [];
	const processes = new ProcessLedger({ entries: 16 });
	const supervisor = new RunSupervisor({
		clock,
		board,
		processes,
		signalGroup: (pgid) => killedGroups.push(pgid) > 0,
		sessionId: "session_1",
		maxConcurrent: 2,
		maxQueued: 3,
		maxThreads: 8,
		watchIntervalMs: 100,
		killTimeoutMs: 1_000,
		launcherFor: () => launcher,
		compose: async ({ spec, key }: LiveRun) =>
			({ runId: spec.id, board: { buffer: board.rowBuffer(key.row), ...key } }) as AgentInit,
		onLaunched: () => {},
		putRun: async (record) => void saved.push(record),
		onRequest: async () => "answer",
		onHistory: async () => {},
		onEnded: async (run) => void ended.push(run.spec.id),
		hasMail: () => false,
		endStrays: async () => {},
		onWarning: (text) => void warnings.push(text),
		...overrides,
	});
	let count = 0;
	const accept = (spec: Partial<RunSpec> = {}) => {
		count += 1;
		return supervisor.accept({
			id: `task_${count}`,
			kind: "subagent",
			name: `agent ${count}`,
			description: `work ${count}`,
			prompt: "do it",
			agentType: "general",
			depth: 1,
			background: true,
			limits: {},
			...spec,
		});
	};
	/** Lets everything that can happen without time passing happen. */
	const settle = () => clock.advance(0);
	return { supervisor, clock, board, launcher, saved, ended, killedGroups, warnings, processes, accept, settle };
}
