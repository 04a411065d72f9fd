// A teammate's life between spawn and shutdown: it works, comes to rest, is lost, is started again.

import { messageOf } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import type { LiveRun, RunEvent } from "../supervision/live-run.ts";
import { createRestartPolicy } from "../supervision/restart-policy.ts";
import type { RunOutcome, RunRecord } from "../wire/run.ts";
import { nameKey } from "./member.ts";
import type { Place } from "./roster.ts";
import { type TeamState, tellChanged } from "./team-parts.ts";
import { tellLead } from "./tell-lead.ts";

/** Starts the run that carries a member from now on. @throws ERR_CLOSED, ERR_MAX_CONCURRENT */
export function startRun(state: TeamState, place: Place): void {
	const { member } = place;
	const definition = state.parts.checkType(member.agentType);
	const run = state.parts.supervisor().accept({
		id: member.runId,
		kind: "teammate",
		name: member.name,
		description: member.role,
		prompt: "",
		agentType: member.agentType,
		depth: 0,
		background: true,
		limits: state.parts.limitsFor(definition),
	});
	place.run = run;
	place.starting = undefined;
	place.rests = 0;
	run.events.on("event", (event) => onEvent(state, place, run, event));
}

function onEvent(state: TeamState, place: Place, run: LiveRun, event: RunEvent): void {
	if (event.type === "prompt-started") return tellChanged(state, place);
	if (event.type === "prompt-finished") {
		// Order: once the supervisor has looked whether mail wakes it again.
		const looked = new Promise<void>((resolve) => queueMicrotask(resolve));
		telling(
			state,
			place,
			looked.then(() => onRest(state, place, run, event.outcome)),
		);
	}
	if (event.type === "ended") telling(state, place, onEnded(state, place, event.record));
}

/** Nobody is at rest before what happened is told. */
function telling(state: TeamState, place: Place, work: Promise<void>): void {
	state.untold += 1;
	void work
		.catch((thrown) => state.parts.onWarning(`The teammate ${place.member.name}: ${messageOf(thrown)}`))
		.finally(() => {
			state.untold -= 1;
			tellChanged(state, place);
		});
}

async function onRest(state: TeamState, place: Place, run: LiveRun, outcome: RunOutcome): Promise<void> {
	const { parts, roster } = state;
	if (run.isTerminal || run.stop || state.closed) return;
	const status = roster.status(place);
	tellChanged(state, place);
	if (roster.isWorking(place)) return;
	const read = place.readSinceRest;
	place.readSinceRest = [];
	place.rests += 1;
	const rest = `${place.member.runId}-${place.rests}`;
	const first = await parts.idleHook(run).catch((thrown) => {
		parts.onWarning(`A hook on the rest of ${place.member.name}: ${messageOf(thrown)}`);
		return undefined;
	});
	const isHeld = first !== undefined && place.heldByHook < MAX_HELD;
	place.heldByHook = isHeld ? place.heldByHook + 1 : 0;
	if (isHeld && !run.isTerminal) {
		await parts.bus.send("supervisor", {
			id: `hook-${rest}`,
			kind: "error",
			to: place.member.name,
			body: first,
			summary: "a hook wants more before you rest",
		});
		return;
	}
	if (first !== undefined) parts.onWarning(`A hook kept ${place.member.name} from its rest ${MAX_HELD} times in a row`);
	state.events.emit("rested", undefined);
	// A task handed out by itself has its own notices, and its result is on the board.
	if (outcome.reason === "done" && read.length > 0 && read.every(isTaskMessage)) return;
	if (outcome.reason === "done" && read.length === 0 && outcome.finalText === "") return;
	const { name, lead } = place.member;
	const failed = outcome.reason === "done" ? undefined : `stopped (${outcome.reason})`;
	await tellLead(state, lead, {
		id: `idle-${rest}`,
		kind: failed === undefined ? "idle" : "error",
		from: name,
		body: [outcome.error ?? "", outcome.finalText].filter((text) => text !== "").join("\n\n"),
		summary: `${name} ${failed ?? (status === "WAITING_APPROVAL" ? "waits for approval" : "is idle")}`,
		data: { status },
		// The plan it waits for has woken the lead already.
		quiet: status === "WAITING_APPROVAL",
	});
}

/** A hook that is never content must not cost a turn after the other for ever. */
const MAX_HELD = 8;

const isTaskMessage = (id: string) => id.startsWith("task-");

async function onEnded(state: TeamState, place: Place, record: RunRecord): Promise<void> {
	const { parts, book } = state;
	const { member } = place;
	// A shutdown sees to the end itself.
	if (place.stopping || state.closed || member.runId !== record.id) return;
	await withdrawTasks(state, member.name);
	// Race: it was shut down meanwhile, or is being.
	if (place.stopping || state.closed || place.member.end) return;
	const reason = record.reason ?? "lost";
	const policy = state.restarts.get(nameKey(member.name)) ?? createRestartPolicy(parts.options.restart);
	state.restarts.set(nameKey(member.name), policy);
	const wanted = policy.mayRestart(reason, parts.clock.monotonicMs());
	const trouble = wanted ? await startAgain(state, place, reason).catch(messageOf) : undefined;
	const restarts = wanted && trouble === undefined;
	// Race: a shutdown that came meanwhile sees to the end.
	if (place.stopping || state.closed) return;
	if (!restarts) {
		place.member = { ...place.member, end: endOf(record, parts.clock.now()) };
		book.voidAllOf(member.name);
		await parts.table.put(place.member).catch((thrown) => parts.onWarning(messageOf(thrown)));
	}
	tellChanged(state, place);
	await tellLead(state, member.lead, {
		id: `end-of-${record.id}`,
		kind: "error",
		from: "supervisor",
		body: [
			record.error ?? "",
			...(trouble === undefined ? [] : [`It could not be started again: ${trouble}`]),
			restarts ? STARTED_AGAIN : CAN_BE_TAKEN_UP(member.name),
		].join("\n"),
		summary: `${member.name} failed (${reason})${restarts ? " and was started again" : ""}`,
		data: { status: "FAILED", reason, runId: record.id },
		quiet: restarts,
	});
	state.events.emit("rested", undefined);
}

const STARTED_AGAIN = "It was started again with its conversation and its mail; a task it had is free again.";
const CAN_BE_TAKEN_UP = (name: string) =>
	`A task it had is free again. Its conversation and mail are kept: spawn_teammate with the name ${name} takes it up again.`;

const GO_ON =
	"What was running when you ended is gone, and a task you had may be another's now. Look before you repeat anything, and go on.";

async function startAgain(state: TeamState, place: Place, reason: string): Promise<undefined> {
	const { end: _, ...lived } = place.member;
	place.member = { ...lived, runId: newId("mate") };
	const coming = (async () => {
		await state.parts.table.put(place.member);
		await state.parts.prepareRun(place.member);
		// Without it a life that was cut off in the middle would rest, because all its mail is read.
		await state.parts.bus.send("supervisor", {
			id: `again-${place.member.runId}`,
			kind: "error",
			to: place.member.name,
			body: GO_ON,
			summary: `you ended (${reason}) and were started again`,
		});
		if (!state.closed && !place.stopping) startRun(state, place);
	})().finally(() => {
		place.starting = undefined;
	});
	place.starting = coming.catch(() => {});
	await coming;
	return undefined;
}

/** Task messages it had not read are void with its claims. */
async function withdrawTasks({ parts }: TeamState, name: string): Promise<void> {
	const unread = parts.bus.addresses().includes(name) ? parts.bus.peek(name) : [];
	const ids = unread.filter(({ id }) => isTaskMessage(id)).map(({ id }) => id);
	if (ids.length > 0) await parts.bus.acknowledge(name, ids);
}

function endOf({ reason = "lost", error }: RunRecord, at: number) {
	return { status: "FAILED" as const, reason, ...(error === undefined ? {} : { error }), at };
}
