// What the team says: to people in lists, to the model in tool results and first messages.

import type { Member } from "./member.ts";
import type { Teammate } from "./roster.ts";
import type { BroadcastReport, TeamReceipt } from "./talk.ts";

/** `/team`. */
export function formatTeam(members: readonly Teammate[]): string[] {
	if (members.length === 0) return ["No teammates. /team spawn NAME PROMPT starts one."];
	const width = Math.max(...members.map(({ name }) => name.length));
	return [
		`Team members (${members.length}):`,
		...members.map((member) => `  ${member.name.padEnd(width)}  [${member.status}]${describeEnd(member)}`),
	];
}

/** `list_teammates`: the same with what each is there for. */
export function describeTeam(members: readonly Teammate[], lead: string | undefined): string {
	if (members.length === 0) return "There are no teammates.";
	const lines = members.map(
		(member) => `- ${member.name} [${member.status}]${describeEnd(member)}: ${member.role} (${member.agentType})`,
	);
	return [...(lead === undefined ? [] : [`The lead is called ${lead}.`]), ...lines].join("\n");
}

function describeEnd({ status, reason }: Teammate): string {
	return status === "FAILED" && reason !== undefined ? ` (${reason})` : "";
}

export function formatReceipt({ to, state, waitsFor }: TeamReceipt): string {
	if (waitsFor !== undefined) return `Message queued for ${to}: ${waitsFor}, and reads it when it is spawned again.`;
	return state === "delivered"
		? `Message delivered to ${to}; it is part of its next turn.`
		: `Message queued for ${to}; it reads it as soon as it can.`;
}

export function formatBroadcast({ sent, refused }: BroadcastReport): string {
	if (sent.length === 0 && refused.length === 0) return "There is nobody else in the team.";
	return [
		...(sent.length > 0 ? [`Sent to ${sent.map(({ to }) => to).join(", ")}.`] : []),
		...refused.map(({ to, why }) => `Not sent to ${to}: ${why}`),
	].join("\n");
}

/** The first thing a teammate reads: who it is, and what to begin with. */
export function firstMessage(
	member: Member,
	wanted: { readonly prompt: string; readonly taskId?: string },
	{ isNew, lead }: { readonly isNew: boolean; readonly lead: string },
): string {
	return [
		isNew
			? `You are '${member.name}' in this team: ${member.role}. The lead is called '${lead}'.`
			: `You are taken up again as '${member.name}': ${member.role}. What was running when you ended is gone; look before you repeat anything.`,
		...(member.requirePlan
			? ["Before you change anything, submit a plan with submit_plan and wait until it is approved."]
			: []),
		...(wanted.taskId === undefined
			? []
			: [`Task ${wanted.taskId} of the board is yours: read it with get_task, and end it with complete_task.`]),
		wanted.prompt,
	].join("\n\n");
}
