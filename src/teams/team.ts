// The team: teammates that live in threads of their own until they are shut down. What each step does is in a file of
// its own (spawn, follow, stop, talk, plan); here they become what a program and the rest of the runtime hold.

import { messageOf } from "../errors.ts";
import { createEmitter, type Unsubscribe } from "../lib/emitter.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { OutgoingEnvelope } from "../wire/envelope.ts";
import { mayChange, noteClaims, type PlanReview, requestPlan, reviewPlan } from "./plan-approval.ts";
import { createProtocolBook, type ProtocolRequest } from "./protocols/protocol-book.ts";
import { type Place, Roster, type Teammate } from "./roster.ts";
import { newPlace, type SpawnTeammate, spawnTeammate } from "./spawn-teammate.ts";
import { stopTeammate } from "./stop-teammate.ts";
import { type BroadcastReport, broadcast, sendMessage, type TeamReceipt, unknown } from "./talk.ts";
import { createTeamCalls, type TeamCalls } from "./team-calls.ts";
import type { TeamEvents, TeamParts, TeamState } from "./team-parts.ts";

/** The team of a supervisor, in the hand of the program that embeds it. */
export interface TeamHand {
	/**
	 * Starts a teammate. Resolves when it is on record and its prompt is in its mailbox; one that FAILED is taken up
	 * again under its name, with its conversation and mail.
	 *
	 * @throws ERR_TEAM_NAME, ERR_TEAM_FULL, ERR_UNKNOWN_AGENT_TYPE, ERR_UNKNOWN_TOOL, ERR_UNKNOWN_TASK, ERR_TASK_*,
	 * ERR_STATE_DIR, ERR_CLOSED. Nothing has changed then.
	 */
	spawn(wanted: SpawnTeammate): Promise<Teammate>;
	/** Members of this session, in the order of spawning, those that ended included. */
	list(): readonly Teammate[];
	/** Writes to a teammate or the lead. @throws ERR_UNKNOWN_TEAMMATE, ERR_MAILBOX_FULL */
	send(to: string, body: string, summary?: string): Promise<TeamReceipt>;
	broadcast(body: string): Promise<BroadcastReport>;
	/** Ends a teammate; resolves when its thread is gone. @throws ERR_UNKNOWN_TEAMMATE */
	stop(name: string): Promise<void>;
	/** The last messages of its conversation as JSON texts, oldest first. @throws ERR_UNKNOWN_TEAMMATE */
	log(name: string, count?: number): Promise<readonly string[]>;
	/** Makes a teammate submit a plan before it changes anything more. @throws ERR_UNKNOWN_TEAMMATE */
	requestPlan(name: string, about?: string): Promise<void>;
	/** Answers a plan in the place of the lead. @throws ERR_PROTOCOL */
	reviewPlan(review: PlanReview): Promise<void>;
	/** Requests of the protocols: shutdown and plan approval. */
	requests(): readonly ProtocolRequest[];
	on<Name extends "changed" | "spawned">(name: Name, listener: (member: TeamEvents[Name]) => void): Unsubscribe;
}

/** Whom the embedding program speaks for; no agent can have this name. */
const USER = "user";

export interface Team {
	/** What it does and says is the user's, whom the embedding program speaks for. */
	readonly hand: TeamHand;
	readonly calls: TeamCalls;
	readonly state: TeamState;
	/** False while a member works or is about to. */
	readonly atRest: boolean;
	mayChange(run: LiveRun): boolean;
	/** Envelopes have become part of an agent's history. */
	noteRead(run: LiveRun, ids: readonly string[]): void;
	/** Ends of members of former processes that an address has to be told of. */
	endsFor(address: string): OutgoingEnvelope[];
	/** Shuts down every member. */
	stopAll(by: string): Promise<void>;
	/** From here on nobody is started again. */
	close(): void;
}

export function createTeam(parts: TeamParts): Team {
	const events = createEmitter<TeamEvents>((thrown) => parts.onWarning(messageOf(thrown)));
	const former = parts.table.list(parts.sessionId);
	const state: TeamState = {
		parts,
		roster: new Roster(parts.hasMail),
		book: createProtocolBook(parts.clock),
		restarts: new Map(),
		events,
		untold: 0,
		order: (former.at(-1)?.order ?? 0) + 1,
		closed: false,
	};
	for (const member of former) state.roster.put(newPlace(member));
	const stopWatching = parts.board.onChange(() => noteClaims(state));

	function mustFind(name: string): Place {
		const place = state.roster.find(name);
		if (!place) throw unknown(state, name);
		return place;
	}

	const hand: TeamHand = {
		spawn: async (wanted) => state.roster.describe(await spawnTeammate(state, wanted, USER)),
		list: () => state.roster.all().map((place) => state.roster.describe(place)),
		send: (to, body, summary) =>
			sendMessage(state, { from: USER, to, body, ...(summary === undefined ? {} : { summary }) }),
		broadcast: (body) => broadcast(state, { from: USER, body }),
		stop: async (name) => stopTeammate(state, mustFind(name), USER),
		log: async (name, count = 20) => (await parts.readConversation(mustFind(name).member.name)).slice(-count),
		requestPlan: async (name, about = "") => requestPlan(state, mustFind(name), USER, about),
		reviewPlan: async (review) => {
			// The user may answer for the lead.
			const request = state.book.get(review.requestId);
			await reviewPlan(state, review, request?.target ?? USER);
		},
		requests: () => state.book.list(),
		on: (name, listener) => events.on(name, listener as (member: Teammate) => void),
	};

	return {
		hand,
		calls: createTeamCalls(state),
		state,
		get atRest() {
			return state.untold === 0 && state.roster.all().every((place) => isAtRest(state, place));
		},
		mayChange: (run) => mayChange(state, run),
		noteRead: (run, ids) => {
			if (run.spec.kind === "teammate") state.roster.byRun(run.spec.id)?.readSinceRest.push(...ids);
		},
		endsFor: (address) =>
			former
				.filter((member) => member.lead === address && member.end === undefined)
				.map((member) => interruptedNotice(member.name, member.runId, address)),
		stopAll: async (by) => {
			await Promise.allSettled(state.roster.live().map((place) => stopTeammate(state, place, by)));
		},
		close: () => {
			state.closed = true;
			state.roster.closed = true;
			stopWatching();
		},
	};
}

function isAtRest({ roster }: TeamState, place: Place): boolean {
	if (place.stopping !== undefined) return false;
	// Ended, but the end is not recorded and told yet.
	if (place.run?.isTerminal && !place.run.ended.settled) return false;
	return !roster.isWorking(place);
}

function interruptedNotice(name: string, runId: string, to: string): OutgoingEnvelope {
	return {
		id: `end-of-${runId}`,
		kind: "error",
		to,
		body: `It ended with the process it ran in. Its conversation and mail are kept: spawn_teammate with the name ${name} takes it up again.`,
		summary: `${name} failed (interrupted)`,
		data: { status: "FAILED", reason: "interrupted", runId },
	};
}
