// Answers the agents' calls of the team tools, on main. Who asks is the port's owner; what it may do follows from
// whether it leads or is led. Every failure is a text that says what to do, and has changed nothing.

import { ClowderError, isClowderError } from "../errors.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import { requestPlan, reviewPlan, submitPlan } from "./plan-approval.ts";
import type { Place } from "./roster.ts";
import { spawnTeammate } from "./spawn-teammate.ts";
import { stopTeammate } from "./stop-teammate.ts";
import { broadcast, sendMessage, unknown } from "./talk.ts";
import type { TeamState } from "./team-parts.ts";
import { describeTeam, formatBroadcast, formatReceipt } from "./team-texts.ts";
import { type TeamToolName, teamInputSchemas, teamToolsOf } from "./team-tools.ts";

export interface TeamCallResult {
	readonly content: string;
	readonly isError: boolean;
}

export type TeamCalls = (run: LiveRun, name: string, input: unknown, toolUseId: string) => Promise<TeamCallResult>;

interface Caller {
	readonly run: LiveRun;
	/** The address it writes from. */
	readonly address: string;
	readonly toolUseId: string;
}

type Input<Name extends TeamToolName> = Extract<
	ReturnType<(typeof teamInputSchemas)[Name]["safeParse"]>,
	{ success: true }
>["data"];

export function createTeamCalls(state: TeamState): TeamCalls {
	const { roster, parts } = state;

	function member(name: string): Place {
		const place = roster.find(name);
		if (!place) throw unknown(state, name);
		return place;
	}

	const handlers: { [Name in TeamToolName]: (input: Input<Name>, caller: Caller) => Promise<string> } = {
		async spawn_teammate(input, { address }) {
			const { isolation } = input;
			if (isolation !== undefined && isolation !== "worktree") {
				throw new ClowderError("ERR_BAD_INPUT", `isolation '${isolation}' is not known`, { remedy: "Use worktree" });
			}
			const { member: spawned } = await spawnTeammate(
				state,
				{
					name: input.name,
					role: input.role,
					prompt: input.prompt,
					...(input.agent_type === undefined ? {} : { agentType: input.agent_type }),
					...(input.task_id === undefined ? {} : { taskId: input.task_id }),
					...(input.require_plan === undefined ? {} : { requirePlan: input.require_plan }),
					...(isolation === undefined ? {} : { isolation }),
				},
				address,
			);
			return `Teammate '${spawned.name}' spawned (${spawned.agentType}). It works now; you are told by itself when it rests or writes.`;
		},
		async send_message({ to, body, summary }, caller) {
			const message = { from: caller.address, to, body, id: messageId(caller) };
			return formatReceipt(await sendMessage(state, summary === undefined ? message : { ...message, summary }));
		},
		async broadcast({ body }, caller) {
			return formatBroadcast(await broadcast(state, { from: caller.address, body, id: messageId(caller) }));
		},
		async list_teammates() {
			return describeTeam(
				roster.all().map((place) => roster.describe(place)),
				parts.lead(),
			);
		},
		async shutdown_teammate({ name }, { address }) {
			const place = member(name);
			await stopTeammate(state, place, address);
			return `Teammate '${place.member.name}' has shut down.`;
		},
		async request_plan({ name, about }, { address }) {
			const place = member(name);
			await requestPlan(state, place, address, about ?? "");
			return `'${place.member.name}' is asked for a plan; it can change nothing before you have approved it with review_plan.`;
		},
		async submit_plan({ plan }, { run }) {
			const place = roster.byRun(run.spec.id);
			if (!place) throw new ClowderError("ERR_PROTOCOL", "only a teammate can submit a plan");
			const { requestId } = await submitPlan(state, place, plan);
			return `Plan submitted (request ${requestId}). End your turn; the answer wakes you.`;
		},
		async review_plan({ request_id, approve, feedback }, { address }) {
			const review = { requestId: request_id, approve, ...(feedback === undefined ? {} : { feedback }) };
			const { sender } = await reviewPlan(state, review, address);
			return `Plan of '${sender}' ${approve ? "approved" : "rejected"}.`;
		},
	};

	return async (run, name, input, toolUseId) => {
		if (!teamToolsOf(run.spec.kind).includes(name))
			return failed(`Error: a ${run.spec.kind} cannot call ${name.slice(0, 80)}`);
		const parsed = teamInputSchemas[name as TeamToolName].safeParse(input);
		if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
		const handle = handlers[name as TeamToolName] as (input: unknown, caller: Caller) => Promise<string>;
		try {
			return { content: await handle(parsed.data, { run, address: run.spec.name, toolUseId }), isError: false };
		} catch (thrown) {
			if (!isClowderError(thrown)) throw thrown;
			return failed(`Error: ${thrown.message}`);
		}
	};
}

/** The same call asked again sends nothing twice. */
const messageId = ({ run, toolUseId }: Caller) => `message-${run.spec.id}-${toolUseId}`.slice(0, 150);

const failed = (content: string): TeamCallResult => ({ content, isError: true });
