// The model of the conversation. Each round starts a job, a subagent, a schedule, a task and the teammate, and writes to
// it; each check writes to the teammate that has failed with its process, and takes it up again.

import { createDeferred } from "../../src/lib/deferred.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";
import type { RequestMessage } from "../../src/testing/messages-request.ts";

/** A job that runs on waits with this many seconds and the round's number: nothing of it may be left. */
export const LONG_SLEEP = 100_000;

export interface ScriptedServer {
	readonly url: string;
	close(): Promise<void>;
	/** As the last request of each had it. */
	lead(): readonly RequestMessage[];
	teammate(): readonly RequestMessage[];
	/** Resolves at the next request of the lead. */
	nextRequest(): Promise<void>;
	/** Conversations that were refused, as by the API. */
	refusals(): number;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
	let lead: readonly RequestMessage[] = [];
	let teammate: readonly RequestMessage[] = [];
	let handled = 0;
	let next = createDeferred();
	const server = await startFakeAnthropicServer({
		handler: ({ body }) => {
			handled += 1;
			const { messages } = body;
			const opening = JSON.stringify(messages[0]);
			if (opening.includes("You are 'ann' in this team")) {
				teammate = messages;
				return answerOfTeammate(messages);
			}
			if (!opening.includes("ROUND-")) return answerOfSubagent(messages);
			lead = messages;
			next.resolve();
			next = createDeferred();
			return answerOfLead(messages);
		},
	});
	return {
		url: server.url,
		close: () => server.close(),
		lead: () => lead,
		teammate: () => teammate,
		nextRequest: () => next.promise,
		refusals: () => server.requests.filter(({ path }) => !path.endsWith("/count_tokens")).length - handled,
	};
}

const say = (text: string): FakeReply => ({ text });
const use = (name: string, input: unknown) => ({ name, input });

function answerOfLead(messages: readonly RequestMessage[]): FakeReply {
	const last = JSON.stringify(messages.at(-1));
	const [kind, number] = latestPrompt(last) ?? [];
	if (kind === "ROUND") return { toolUses: toolsOfRound(Number(number)) };
	const [now, round] = latestPrompt(JSON.stringify(messages)) ?? [];
	const write = (body: string) => use("send_message", { to: "ann", body });
	const spawn = (prompt: string) => use("spawn_teammate", { name: "ann", role: "helps", prompt });
	if (kind === "CHECK") return { toolUses: [write(`MAIL-C${number}.`), use("list_teammates", {})] };
	if (last.includes("The lead is called")) return { toolUses: [spawn(`GO-C${round}.`)] };
	if (now === "ROUND" && last.includes("Teammate 'ann' spawned")) return { toolUses: [write(`MAIL-${round}.`)] };
	return say("noted");
}

function toolsOfRound(round: number) {
	const command = round % 2 === 0 ? "echo built" : `echo begun; sleep ${LONG_SLEEP + round}`;
	return [
		use("bash", { command, run_in_background: true }),
		use("task", { description: `sub ${round}`, prompt: "SUBWORK", agent_type: "explore" }),
		round % 5 === 1 ? use("schedule_cron", { cron: "0 9 * * *", prompt: `report ${round}` }) : use("list_crons", {}),
		use("create_task", { title: `work ${round}` }),
		use("spawn_teammate", { name: "ann", role: "helps", prompt: `GO-${round}.` }),
	];
}

function latestPrompt(json: string): readonly [string, string] | undefined {
	const [, kind, number] = [...json.matchAll(/"text":"(ROUND|CHECK)-(\d+)\."/g)].at(-1) ?? [];
	return kind === undefined || number === undefined ? undefined : [kind, number];
}

function answerOfTeammate(messages: readonly RequestMessage[]): FakeReply {
	const handed = JSON.stringify(messages.at(-1)).matchAll(/Autonomous task (t\d+)/g);
	const ids = new Set([...handed].map(([, id]) => id));
	if (ids.size === 0) return say("heard");
	return { toolUses: [...ids].map((id) => use("complete_task", { task_id: id, result: "done" })) };
}

function answerOfSubagent(messages: readonly RequestMessage[]): FakeReply {
	const hasLooked = JSON.stringify(messages).includes("tool_result");
	return hasLooked ? say("SUBDONE") : { toolUses: [use("glob", { pattern: "*" })] };
}
