// A teammate comes into the team: its name is taken in one step, then it is on record, then its first message is in
// its mailbox, and only then does its run begin. One that FAILED is taken up again with its conversation.

import { ClowderError, messageOf } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import type { Task } from "../tasks/task.ts";
import { startRun } from "./follow-teammate.ts";
import { checkMemberName, type Member } from "./member.ts";
import { PlanGate } from "./protocols/plan-gate.ts";
import { isLive, type Place } from "./roster.ts";
import { type TeamState, tellChanged } from "./team-parts.ts";
import { firstMessage } from "./team-texts.ts";

export interface SpawnTeammate {
	readonly name: string;
	/** What it is in the team for, in a few words. */
	readonly role: string;
	/** What it begins with. */
	readonly prompt: string;
	/** @default "general" */
	readonly agentType?: string;
	/** A model id or alias. @default the agent type's, else the supervisor's */
	readonly model?: string;
	/** A task of the board that it claims first. */
	readonly taskId?: string;
	/** It may change nothing before the lead has approved its plan. @default false */
	readonly requirePlan?: boolean;
	/** `worktree`: it works in a git worktree and on a branch of its own. @default the agent type's */
	readonly isolation?: "worktree";
}

export const DEFAULT_MAX_TEAMMATES = 16;

/** @param by who spawns it: the lead's address or `user`. */
export async function spawnTeammate(state: TeamState, wanted: SpawnTeammate, by: string): Promise<Place> {
	const { parts } = state;
	checkMemberName(wanted.name);
	const agentType = wanted.agentType ?? "general";
	parts.checkType(agentType);
	// Order: no await between the look at the name and its taking.
	const former = takeName(state, wanted.name);
	const member: Member = {
		sessionId: parts.sessionId,
		name: wanted.name,
		role: wanted.role,
		agentType,
		...(wanted.model === undefined ? {} : { model: wanted.model }),
		...(wanted.isolation === undefined ? {} : { isolation: wanted.isolation }),
		requirePlan: wanted.requirePlan ?? owesPlan(former),
		lead: parts.lead() ?? "user",
		order: state.order,
		spawnedAt: parts.clock.now(),
		runId: newId("mate"),
	};
	state.order += 1;
	const place = newPlace(member);
	const coming = bringIn(state, place, former, wanted, by);
	place.starting = coming.catch(() => {});
	state.roster.put(place);
	try {
		await coming;
	} catch (thrown) {
		place.starting = undefined;
		if (former) state.roster.put(former);
		else state.roster.remove(member.name);
		throw thrown;
	}
	state.events.emit("spawned", state.roster.describe(place));
	tellChanged(state, place);
	return place;
}

async function bringIn(
	state: TeamState,
	place: Place,
	former: Place | undefined,
	wanted: SpawnTeammate,
	by: string,
): Promise<void> {
	const { parts } = state;
	const { member } = place;
	const isNew = former === undefined || former.member.end?.status === "STOPPED";
	if (isNew) await parts.emptyConversation(member.name);
	const claim = wanted.taskId === undefined ? undefined : await claimFor(state, place, wanted.taskId);
	try {
		// Order: what can be refused comes before anything is on record.
		await parts.prepareRun(member);
		await parts.table.put(member);
		parts.openMailbox(member.name);
		await parts.bus.send(by, {
			id: `first-of-${member.runId}`,
			kind: "task",
			to: member.name,
			body: firstMessage(member, wanted, { isNew, lead: member.lead }),
			summary: `spawned as ${member.role}`,
			data: wanted.taskId === undefined ? {} : { taskId: wanted.taskId },
		});
		startRun(state, place);
	} catch (thrown) {
		await takeBack(state, member, former, claim).catch((failure) =>
			parts.onWarning(`What is left of '${member.name}', which could not be spawned: ${messageOf(failure)}`),
		);
		throw thrown;
	}
	await place.run?.admitted;
}

/** A teammate that did not come about leaves what was there before it. */
async function takeBack(
	{ parts }: TeamState,
	member: Member,
	former: Place | undefined,
	claim: Task | undefined,
): Promise<void> {
	if (claim) await parts.board.giveBack(claim.id, { ownerId: member.runId, claimVersion: claim.claimVersion });
	if (former) return parts.table.put(former.member);
	await parts.table.remove(member);
	if (parts.bus.addresses().includes(member.name)) await parts.closeMailbox(member.name);
}

/** One that is taken up again owes the plan that it was asked for before. */
function owesPlan(former: Place | undefined): boolean {
	return former !== undefined && former.member.end?.status !== "STOPPED" && former.member.requirePlan;
}

/** @returns the former member of that name, which lives no longer. @throws ERR_TEAM_NAME, ERR_TEAM_FULL, ERR_CLOSED */
function takeName(state: TeamState, name: string): Place | undefined {
	const { roster, parts } = state;
	if (state.closed) throw new ClowderError("ERR_CLOSED", "The supervisor is closed");
	const former = roster.find(name);
	const agents = parts.supervisor().live();
	const isTaken = agents.some(
		(run) => run.spec.kind !== "subagent" && run.spec.name.toLowerCase() === name.toLowerCase(),
	);
	if ((former && (isLive(former) || former.stopping)) || isTaken) {
		throw new ClowderError("ERR_TEAM_NAME", `there is an agent called '${former?.member.name ?? name}' already`, {
			remedy: "Choose another name, or send it a message",
		});
	}
	const max = parts.options.maxTeammates ?? DEFAULT_MAX_TEAMMATES;
	if (roster.live().length >= max) {
		throw new ClowderError("ERR_TEAM_FULL", `the team has ${max} teammates already`, {
			remedy: "Shut one down first",
		});
	}
	return former;
}

/** @throws ERR_UNKNOWN_TASK, ERR_TASK_* */
async function claimFor(state: TeamState, place: Place, taskId: string): Promise<Task> {
	const { member } = place;
	const owner = { id: member.runId, name: member.name, sessionId: member.sessionId };
	const task = await state.parts.board.claim(taskId, owner);
	place.knownClaim = `${task.id} ${task.claimVersion}`;
	return task;
}

export function newPlace(member: Member): Place {
	const gate = new PlanGate();
	if (member.requirePlan) gate.require();
	return {
		...{ member, gate, run: undefined, stopping: undefined, starting: undefined },
		...{ readSinceRest: [], rests: 0, heldByHook: 0, knownClaim: undefined },
	};
}
