// What the team needs of the rest, and what its steps (spawn, follow, stop, talk, plan) share.

import type { MessageBus } from "../bus/contract.ts";
import type { AgentDefinition } from "../config/agent-definition.ts";
import type { Clock } from "../lib/clock.ts";
import type { Emitter } from "../lib/emitter.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { RestartOptions, RestartPolicy } from "../supervision/restart-policy.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { TaskBoard } from "../tasks/task-board.ts";
import type { RunLimits } from "../wire/run.ts";
import type { Member } from "./member.ts";
import type { MemberTable } from "./member-table.ts";
import type { ProtocolBook } from "./protocols/protocol-book.ts";
import type { Place, Roster, Teammate } from "./roster.ts";

export interface TeamOptions {
	/** Teammates alive at once. @default 16 */
	readonly maxTeammates?: number;
	/** Whether a teammate that was lost is started again, with its conversation. @default never */
	readonly restart?: RestartOptions;
}

export interface TeamParts {
	readonly clock: Clock;
	readonly sessionId: string;
	readonly bus: MessageBus;
	readonly board: TaskBoard;
	readonly table: MemberTable;
	readonly options: TeamOptions;
	/** There once the supervisor is built. */
	supervisor(): RunSupervisor;
	/** The address of the lead that is told what happens, while there is one. */
	lead(): string | undefined;
	/** @throws ClowderError ERR_UNKNOWN_AGENT_TYPE, ERR_UNKNOWN_TOOL */
	checkType(agentType: string): AgentDefinition;
	limitsFor(definition: AgentDefinition): RunLimits;
	/** Remembers what a run of a member needs that is not in its spec. Called before each of its runs. */
	prepareRun(member: Member): Promise<void>;
	/** The member will not live again. */
	retire(member: Member): Promise<void>;
	/** Opens its mailbox, so that it can be written to before its thread is there. */
	openMailbox(name: string): void;
	/** Closes it; what waits in it becomes dead letters. */
	closeMailbox(name: string): Promise<void>;
	emptyConversation(name: string): Promise<void>;
	/** Messages of its conversation, oldest first. */
	readConversation(name: string): Promise<readonly string[]>;
	/** Mail waits that a resting agent is woken for. */
	hasMail(run: LiveRun): boolean;
	/** A person's hooks on a teammate that comes to rest: what it must do first, or undefined. */
	idleHook(run: LiveRun): Promise<string | undefined>;
	onWarning(text: string): void;
}

export interface TeamEvents {
	/** A member was spawned, came to rest, went to work, or ended. */
	changed: Teammate;
	spawned: Teammate;
	/** A member came to rest, or there is work for members: whoever hands out work looks again. */
	rested: undefined;
}

export interface TeamState {
	readonly parts: TeamParts;
	readonly roster: Roster;
	readonly book: ProtocolBook;
	readonly restarts: Map<string, RestartPolicy>;
	readonly events: Emitter<TeamEvents>;
	order: number;
	/** Rests and ends that are not told yet. */
	untold: number;
	/** The supervisor is closing: nobody is started again, and nothing is told. */
	closed: boolean;
}

export function tellChanged({ events, roster }: TeamState, place: Place): void {
	events.emit("changed", roster.describe(place));
}
