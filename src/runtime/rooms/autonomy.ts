// Ties the handing out of ready tasks to the team: who rests, how far somebody has come with a task, and the notices
// that the lead finds at its next turn.

import type { MessageBus } from "../../bus/contract.ts";
import { messageOf } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { createEmitter, type Unsubscribe } from "../../lib/emitter.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { TaskBoard } from "../../tasks/task-board.ts";
import { AutoClaimer } from "../../teams/autonomy/auto-claimer.ts";
import { type AutoCommandParts, runAutoCommand } from "../../teams/autonomy/auto-command.ts";
import { type AutonomousConfig, createAutonomousConfig } from "../../teams/autonomy/autonomous-config.ts";
import { ClaimTracker } from "../../teams/autonomy/claim-tracker.ts";
import type { ClaimingTeam, Progress } from "../../teams/autonomy/claiming-team.ts";
import { type AutoNotice, IdleLoop } from "../../teams/autonomy/idle-loop.ts";
import type { Team } from "../../teams/team.ts";
import { tellLead } from "../../teams/tell-lead.ts";
import { checkCall } from "../options/call-inputs.ts";

export interface AutonomyParts {
	readonly clock: Clock;
	readonly bus: MessageBus;
	readonly board: TaskBoard;
	readonly team: Team;
	readonly config: Partial<AutonomousConfig>;
	/** Whether an agent's background jobs go on: their ends wake it. */
	hasJobs(address: string): boolean;
	/** Whether the lead rests; true without one. */
	leadRests(): boolean;
	onWarning(text: string): void;
}

/** Ready tasks for idle teammates, in the hand of the program that embeds the supervisor. */
export interface AutonomyHand {
	/** Whether ready tasks are handed to idle teammates. @default true */
	enabled: boolean;
	/** Tasks handed out, and tasks completed so, by this process. */
	readonly claimed: number;
	readonly completed: number;
	/** Who has which of them now. */
	claims(): readonly { readonly taskId: string; readonly teammate: string }[];
	/** What `/auto` answers. */
	command(rest: string): string[];
}

export interface Autonomy {
	readonly hand: AutonomyHand;
	/** No round is under way or due. */
	readonly atRest: boolean;
	onRest(listener: () => void): Unsubscribe;
	start(): void;
	/** Something may be possible now: the lead came to rest. */
	poke(): void;
	stop(): Promise<void>;
}

export function createAutonomy(parts: AutonomyParts): Autonomy {
	const { clock, bus, board, team, onWarning } = parts;
	const claimer = new AutoClaimer({
		board,
		clock,
		team: claimingTeam(parts),
		tracker: new ClaimTracker(),
		config: createAutonomousConfig(parts.config),
	});
	const rest = createEmitter<{ rest: undefined }>((thrown) => onWarning(messageOf(thrown)));
	const loop = new IdleLoop({
		claimer,
		board,
		clock,
		config: createAutonomousConfig(parts.config),
		shouldRun: parts.leadRests,
		notices: (notice) => void tell(notice),
		onError: (thrown) => onWarning(`Handing out tasks: ${messageOf(thrown)}`),
		onRest: () => rest.emit("rest", undefined),
	});
	team.state.events.on("rested", () => loop.poke());
	const command: AutoCommandParts = { loop, claimer, board };
	/** Notices on their way into the lead's mailbox. */
	let telling = 0;

	async function tell({ id, text }: AutoNotice): Promise<void> {
		const lead = team.state.parts.lead();
		if (lead === undefined || !bus.addresses().includes(lead)) return;
		const kind = "notification";
		telling += 1;
		await tellLead(team.state, lead, { id, kind, from: "supervisor", body: text, summary: text, quiet: true });
		telling -= 1;
		if (telling === 0) rest.emit("rest", undefined);
	}

	return {
		hand: {
			get enabled() {
				return loop.isEnabled();
			},
			set enabled(isEnabled) {
				loop.setEnabled(isEnabled);
			},
			get claimed() {
				return loop.claimedCount();
			},
			get completed() {
				return loop.completedCount();
			},
			claims: () => claimer.claims().map(({ taskId, owner }) => ({ taskId, teammate: owner.name })),
			command: (rest) => {
				checkCall("auto.command", { text: rest });
				return runAutoCommand(rest, command);
			},
		},
		get atRest() {
			return telling === 0 && loop.isAtRest();
		},
		onRest: (listener) => rest.on("rest", listener),
		start: () => loop.start(),
		poke: () => loop.poke(),
		stop: () => loop.stop(),
	};
}

function claimingTeam({ bus, team, hasJobs }: AutonomyParts): ClaimingTeam {
	const { roster, parts } = team.state;
	return {
		idle: () =>
			roster
				.live()
				.filter((place) => roster.status(place) === "IDLE" && place.stopping === undefined)
				.map(({ member: { name, runId, sessionId } }) => ({ name, owner: { id: runId, name, sessionId } })),
		progressOf: (ownerId, messageId) => progressOf(roster.byRun(ownerId)?.run, messageId),
		assign: async ({ name }, { id, body, summary, taskId, claimVersion }) => {
			await bus.send("main", { id, kind: "task", to: name, body, summary, data: { taskId, claimVersion } });
		},
	};

	function progressOf(run: LiveRun | undefined, messageId: string): Progress {
		if (!run || run.isTerminal) return "gone";
		if (bus.peek(run.spec.name).some(({ id }) => id === messageId)) return "unread";
		const place = roster.byRun(run.spec.id);
		const waits = run.prompts.busy || run.children.size > 0 || parts.hasMail(run) || hasJobs(run.spec.name);
		return waits || place?.gate.state.kind === "submitted" ? "working" : "idle";
	}
}
