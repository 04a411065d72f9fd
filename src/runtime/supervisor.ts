// The public face of everything: what an embedding program holds in its hand.

import type { Job } from "../background/job.ts";
import type { MessageBus } from "../bus/contract.ts";
import type { Schedules } from "../cron/schedules.ts";
import type { Unsubscribe } from "../lib/emitter.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { PermissionDenial } from "../permissions/prompt.ts";
import type { Run } from "../supervision/run.ts";
import type { TaskBoardHand } from "../tasks/task-board.ts";
import type { TeamHand } from "../teams/team.ts";
import type { OutgoingEnvelope, SendReceipt } from "../wire/envelope.ts";
import type { RunRecord } from "../wire/run.ts";
import type { Lead } from "./agents/lead.ts";
import type { HealthCheck } from "./doctor.ts";
import type { HookListing } from "./hooks/list-hooks.ts";
import type { LeadOptions, SpawnOptions } from "./options/spawn-options.ts";
import type { Permissions } from "./permissions/permissions.ts";
import type { AutonomyHand } from "./rooms/autonomy.ts";
import type { SessionSummary } from "./sessions/find-session.ts";
import type { SupervisorStatus } from "./status.ts";
import type { TypedCommand } from "./typed/typed-commands.ts";

/** One instruction file, as `/memory` lists it. */
export interface InstructionFile {
	readonly path: string;
	readonly chars: number;
	/** The file whose `@path` brought it in. */
	readonly importedBy?: string;
}

/** Supervises agents, each in a thread of its own. Built by `createSupervisor`. */
export interface Supervisor extends AsyncDisposable {
	readonly sessionId: string;
	/**
	 * Starts a subagent: PENDING now, RUNNING as soon as a slot is free, first in first out.
	 *
	 * @throws ERR_BAD_INPUT, ERR_UNKNOWN_AGENT_TYPE, ERR_UNKNOWN_TOOL, ERR_UNKNOWN_RUN (parent), ERR_MAX_CONCURRENT
	 * (the queue is full), ERR_CLOSED. What goes wrong later is in the result.
	 */
	spawn(options: SpawnOptions): Run;
	/**
	 * Starts a lead: an agent one talks with, in a thread of its own.
	 *
	 * @throws ERR_BAD_INPUT, ERR_UNKNOWN_AGENT_TYPE, ERR_UNKNOWN_TOOL, ERR_CLOSED
	 */
	startLead(options?: LeadOptions): Promise<Lead>;
	/**
	 * Stops a subagent and all below it: asks first, ends the thread after the grace time.
	 *
	 * @returns the ids of the runs that were stopped by this call; empty for one that has ended.
	 * @throws ERR_BAD_INPUT for a lead or a teammate, which have ways of their own (`lead.close`, `team.stop`)
	 */
	stop(id: string, why?: string): Promise<{ readonly stopped: readonly string[] }>;
	/** Records of this session, oldest first, also of runs that have ended; of those that live, with their use so far. */
	runs(): RunRecord[];
	status(): SupervisorStatus;
	/** The person's hooks: what runs when. */
	hooks(): readonly HookListing[];
	/** The instruction files that stand in the agents' system prompt, in their order there. */
	instructions(): readonly InstructionFile[];
	/** Looks whether what agents need is there. Tells no secret. */
	doctor(): Promise<readonly HealthCheck[]>;
	/** Names of the agent types that runs and leads can have. */
	agentTypes(): readonly string[];
	permissionMode(): PermissionMode;
	/** What agents may do; a change counts from the next call of any agent on. */
	readonly permissions: Pick<Permissions, "setMode" | "rules" | "addRule" | "removeRule">;
	/** Runs of former processes that were cut off, found when this supervisor started. */
	readonly interrupted: readonly RunRecord[];
	/** What a person may call as `/name`: commands and skills of the project's and the home folder's files. */
	readonly commands: readonly TypedCommand[];
	/**
	 * What the project's files ask for that waits for the person's trust in the folder: how much of what where, and below
	 * it each on a line of its own.
	 */
	readonly withheld: readonly string[];
	/** Every change of every run's record. A listener that throws is reported, and harms nothing. */
	on(name: "run-changed", listener: (record: RunRecord) => void): Unsubscribe;
	readonly bus: Pick<MessageBus, "deadLetters" | "inspect" | "status"> & {
		/**
		 * Sends to an agent in the host's name. Resolves when the envelope is durable.
		 *
		 * @throws ERR_UNKNOWN_RECEIVER (names the known ones), ERR_MAILBOX_FULL, ERR_BAD_INPUT, ERR_CLOSED
		 */
		send(envelope: OutgoingEnvelope): Promise<SendReceipt>;
	};
	/** The background jobs of this session, those of its former processes included. */
	readonly jobs: {
		/** Oldest first. */
		list(): readonly Job[];
		/** Ends a job and every process it started. @throws ERR_BAD_INPUT for an unknown id */
		stop(id: string, why?: string): Promise<Job>;
		/** The end of what it printed, at most so many bytes (@default 30_000); undefined when it cannot be read. */
		output(id: string, maxBytes?: number): Promise<string | undefined>;
	};
	/** The project's task board, shared with its other sessions. */
	readonly tasks: TaskBoardHand;
	/** Teammates: agents that stay, each in a thread of its own, until they are shut down. */
	readonly team: TeamHand;
	/** Ready tasks of the board for idle teammates. */
	readonly auto: AutonomyHand;
	/** Prompts that come by themselves: those of this session, and the project's durable ones. */
	readonly schedules: Pick<Schedules, "add" | "list" | "cancel">;
	/** Messages of the conversation of the lead called `lead` as they are saved, as JSON, oldest first: all, or the `last` ones. */
	conversation(options?: { readonly last?: number }): Promise<readonly string[]>;
	/** Conversations in this folder that `resume` can go on with, the latest active first. */
	sessions(): Promise<SessionSummary[]>;
	/** Calls that were denied because nobody could be asked, or by a rule. */
	denials(): readonly PermissionDenial[];
	/** Forgets what a person allowed for this conversation (`/clear`). */
	forgetApprovals(): void;
	/** Stops every run and thread and saves everything. Calling it again returns the same promise. */
	close(why?: string): Promise<void>;
}
