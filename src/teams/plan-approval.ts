// A teammate's plan: asked for by the lead, submitted by the teammate, decided by the lead. Until it is approved the
// gate is shut: main refuses whatever would change something, for the teammate and for subagents it starts.

import { ClowderError } from "../errors.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { ProtocolRequest } from "./protocols/protocol-book.ts";
import type { Place } from "./roster.ts";
import { type TeamState, tellChanged } from "./team-parts.ts";

/** Shuts a teammate's gate and tells it why. @param by the lead's address or `user`. */
export async function requestPlan(state: TeamState, place: Place, by: string, about: string): Promise<void> {
	voidPending(state, place);
	place.gate.require();
	// On record, so that the gate is shut in the next process as well.
	place.member = { ...place.member, requirePlan: true };
	await state.parts.table.put(place.member);
	await state.parts.bus.send(by, {
		kind: "message",
		to: place.member.name,
		body: ["Before you change anything, submit a plan with submit_plan and wait until it is approved.", about]
			.filter((text) => text !== "")
			.join("\n\n"),
		summary: "a plan is asked for",
	});
	tellChanged(state, place);
}

/** @returns the request that waits for the lead's word. */
export async function submitPlan(state: TeamState, place: Place, plan: string): Promise<ProtocolRequest> {
	const { book, parts } = state;
	const { name, lead } = place.member;
	if (place.gate.state.kind === "open") {
		throw new ClowderError("ERR_PROTOCOL", "nobody has asked you for a plan", {
			remedy: `Go on with your work, or tell ${lead} with send_message`,
		});
	}
	voidPending(state, place);
	const request = book.open({ type: "plan_approval", sender: name, target: lead, body: plan });
	place.gate.submit(request.requestId);
	if (parts.bus.addresses().includes(lead)) {
		try {
			await parts.bus.send(name, {
				id: `plan-${request.requestId}`,
				kind: "plan_approval_request",
				to: lead,
				body: plan,
				summary: `${name} submits a plan`,
				correlationId: request.requestId,
				data: { requestId: request.requestId },
			});
		} catch (thrown) {
			voidPending(state, place);
			place.gate.require();
			throw thrown;
		}
	}
	tellChanged(state, place);
	return request;
}

export interface PlanReview {
	readonly requestId: string;
	readonly approve: boolean;
	readonly feedback?: string;
}

/** @param responder the address that answers; must be the one that was asked. @throws ERR_PROTOCOL; nothing has changed then. */
export async function reviewPlan(state: TeamState, review: PlanReview, responder: string): Promise<ProtocolRequest> {
	const outcome = state.book.reply({ ...review, type: "plan_approval", responder });
	if (outcome.kind === "refused") throw new ClowderError("ERR_PROTOCOL", outcome.message);
	const { request } = outcome;
	const place = state.roster.find(request.sender);
	if (!place) return request;
	place.gate.decide(request.requestId, review.approve);
	tellChanged(state, place);
	const verdict = review.approve
		? "Your plan is approved. Carry it out."
		: "Your plan is rejected. Change it and submit it again; nothing may be changed before.";
	await state.parts.bus.send(responder, {
		id: `review-${request.requestId}`,
		kind: "plan_approval_response",
		to: place.member.name,
		body: [verdict, review.feedback ?? ""].filter((text) => text !== "").join("\n\n"),
		summary: review.approve ? "plan approved" : "plan rejected",
		correlationId: request.requestId,
		data: { requestId: request.requestId, approve: review.approve },
	});
	return request;
}

/** Looks whether members have begun a new task: that voids what was approved for the one before. */
export function noteClaims(state: TeamState): void {
	for (const place of state.roster.live()) {
		const claim = state.parts.board.claimOf(place.member.runId);
		const known = claim ? `${claim.taskId} ${claim.claimVersion}` : undefined;
		if (known === place.knownClaim) continue;
		place.knownClaim = known;
		if (known === undefined) continue;
		voidPending(state, place);
		place.gate.newTask();
	}
}

/** Whether an agent may change anything: false while the gate of the teammate it works for is shut. */
export function mayChange(state: TeamState, run: LiveRun): boolean {
	const root = rootOf(run);
	if (root.spec.kind !== "teammate") return true;
	return state.roster.byRun(root.spec.id)?.gate.mayChange ?? false;
}

function rootOf(run: LiveRun): LiveRun {
	return run.parent ? rootOf(run.parent) : run;
}

function voidPending({ book }: TeamState, { member }: Place): void {
	for (const request of book.pending()) {
		if (request.type === "plan_approval" && request.sender === member.name) book.void(request.requestId);
	}
}
