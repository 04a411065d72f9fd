// Shutdown: asked for by the lead or a person, answered by the program, never by the teammate's model. A teammate
// that rests ends at once; one that works is asked to stop, and its thread is ended after the grace time.

import { ClowderError } from "../errors.ts";
import { isLive, type Place } from "./roster.ts";
import { type TeamState, tellChanged } from "./team-parts.ts";
import { tellLead } from "./tell-lead.ts";

/** Resolves when it is gone. @param by who asked: the lead's address or `user`. @throws ERR_UNKNOWN_TEAMMATE */
export async function stopTeammate(state: TeamState, place: Place, by: string): Promise<void> {
	const { member } = place;
	if (place.stopping === undefined && !isLive(place) && member.end?.status === "STOPPED") {
		throw new ClowderError("ERR_UNKNOWN_TEAMMATE", `'${member.name}' is stopped already`);
	}
	place.stopping ??= shutDown(state, place, by).finally(() => {
		place.stopping = undefined;
		tellChanged(state, place);
	});
	await place.stopping;
}

async function shutDown(state: TeamState, place: Place, by: string): Promise<void> {
	const { parts, book } = state;
	const { requestId } = book.open({ type: "shutdown", sender: by, target: place.member.name, body: "" });
	// Race: one that is being spawned has no run yet that could be stopped.
	await place.starting;
	const { run } = place;
	if (run && !run.isTerminal) {
		const reason = run.prompts.busy ? "cancelled" : "done";
		await parts.supervisor().cancel(run.spec.id, { reason, why: `it was shut down by ${by}` });
	}
	book.reply({ requestId, type: "shutdown", responder: place.member.name, approve: true });
	book.voidAllOf(place.member.name);
	const reason = run?.record.reason ?? "cancelled";
	place.member = { ...place.member, end: { status: "STOPPED", reason, at: parts.clock.now() } };
	await parts.table.put(place.member);
	await parts.closeMailbox(place.member.name);
	await parts.retire(place.member);
	if (by === place.member.lead) return;
	await tellLead(state, place.member.lead, {
		id: `shutdown-${requestId}`,
		kind: "shutdown_response",
		from: "supervisor",
		body: `${by} shut it down.`,
		summary: `${place.member.name} has shut down`,
		data: { requestId },
		quiet: true,
	});
}
