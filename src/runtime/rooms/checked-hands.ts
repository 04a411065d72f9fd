// What a program holds of the rooms, with each input looked at before it goes in. The rooms themselves take what agents
// and other rooms give, which is checked where it comes from.

import type { Schedules } from "../../cron/schedules.ts";
import { ClowderError } from "../../errors.ts";
import { nearestName } from "../../lib/nearest-name.ts";
import type { TaskBoardHand } from "../../tasks/task-board.ts";
import type { TeamHand } from "../../teams/team.ts";
import { checkCall, checkId, checkListener } from "../options/call-inputs.ts";
import type { Permissions } from "../permissions/permissions.ts";

export function checkedTeam(hand: TeamHand): TeamHand {
	return {
		...hand,
		spawn: async (wanted) => {
			checkCall("team.spawn", wanted);
			return hand.spawn(wanted);
		},
		send: async (to, body, summary) => {
			checkCall("team.send", { to, body, summary });
			return hand.send(to, body, summary);
		},
		broadcast: async (body) => {
			checkCall("team.broadcast", { body });
			return hand.broadcast(body);
		},
		stop: async (name) => hand.stop(checkedName("team.stop", name)),
		log: async (name, count) => hand.log(checkedName("team.log", name), count),
		requestPlan: async (name, about) => hand.requestPlan(checkedName("team.requestPlan", name), about),
		reviewPlan: async (review) => {
			checkCall("team.reviewPlan", review);
			return hand.reviewPlan(review);
		},
		on: (name, listener) => {
			checkEvent("team.on", name, ["changed", "spawned"]);
			checkListener("team.on", listener);
			return hand.on(name, listener);
		},
	};
}

export function checkedTasks(hand: TaskBoardHand): TaskBoardHand {
	return {
		...hand,
		create: async (draft, approve) => {
			checkCall("tasks.create", draft);
			return hand.create(draft, approve);
		},
		onChange: (listener) => {
			checkListener("tasks.onChange", listener);
			return hand.onChange(listener);
		},
		update: async (id, change) => {
			checkCall("tasks.update", change);
			return hand.update(checkedId("tasks.update", id), change);
		},
		remove: async (id) => hand.remove(checkedId("tasks.remove", id)),
		get: (id) => hand.get(checkedId("tasks.get", id)),
		openBlockers: (task) => {
			checkCall("tasks.openBlockers", task);
			return hand.openBlockers(task);
		},
		claim: async (id, owner) => hand.claim(checkedId("tasks.claim", id), owner),
		complete: async (id, proof, result) => hand.complete(checkedId("tasks.complete", id), proof, result),
		completeByHand: async (id, result) => hand.completeByHand(checkedId("tasks.completeByHand", id), result),
		giveBack: async (id, proof) => hand.giveBack(checkedId("tasks.giveBack", id), proof),
		claimOf: (ownerId) => hand.claimOf(checkedId("tasks.claimOf", ownerId)),
	};
}

export function checkedSchedules({ add, list, cancel }: Schedules): Pick<Schedules, "add" | "list" | "cancel"> {
	return {
		add: async (wanted) => {
			checkCall("schedules.add", wanted);
			return add(wanted);
		},
		list,
		cancel: async (id) => cancel(checkedId("schedules.cancel", id)),
	};
}

export function checkedPermissions(
	permissions: Permissions,
): Pick<Permissions, "setMode" | "rules" | "addRule" | "removeRule"> {
	return {
		setMode: (mode) => {
			checkCall("permissions.setMode", { mode });
			permissions.setMode(mode);
		},
		rules: permissions.rules,
		addRule: async (kind, text, options) => {
			checkCall("permissions.addRule", { kind, text, options });
			return permissions.addRule(kind, text, options);
		},
		removeRule: permissions.removeRule,
	};
}

/** @throws ERR_BAD_INPUT: a listener of an event that is never sent would wait for ever */
export function checkEvent(where: string, name: string, known: readonly string[]): void {
	if (known.includes(name)) return;
	if (typeof name !== "string") checkCall("on", { name });
	const nearest = nearestName(String(name), known);
	throw new ClowderError("ERR_BAD_INPUT", `${where}: there is no event '${String(name).slice(0, 80)}'`, {
		remedy: nearest === undefined ? `Known: ${known.join(", ")}` : `Did you mean '${nearest}'?`,
		details: { where, field: "name" },
	});
}

/** @throws ERR_BAD_INPUT for what no id can be */
export function checkedId(where: string, id: string): string {
	checkId(where, id);
	return id;
}

function checkedName(where: "team.stop" | "team.log" | "team.requestPlan", name: string): string {
	checkCall(where, { name });
	return name;
}
