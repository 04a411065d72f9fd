// The model of the conversation: each round starts a job, a subagent and a schedule, and then says that it has.

import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";

const say = (text: string) => ({ text });

export async function startScriptedServer() {
	let lastLead: unknown = [];
	const server = await startFakeAnthropicServer({
		handler: ({ body }) => {
			const all = JSON.stringify(body.messages);
			if (!all.includes("ROUND-1.")) {
				return all.includes("tool_result") ? say("SUBDONE") : { toolUses: [{ name: "glob", input: { pattern: "*" } }] };
			}
			lastLead = body.messages;
			const last = JSON.stringify(body.messages.at(-1));
			const [, round] = /ROUND-(\d+)\./.exec(last) ?? [];
			if (round === undefined) return say("noted");
			return {
				toolUses: [
					{ name: "bash", input: { command: "sleep 0.3; echo built", run_in_background: true } },
					{ name: "task", input: { description: `sub ${round}`, prompt: "SUBWORK", agent_type: "explore" } },
					...(Number(round) % 10 === 1
						? [{ name: "schedule_cron", input: { cron: "0 9 * * *", prompt: `report ${round}` } }]
						: [{ name: "list_crons", input: {} }]),
				],
			};
		},
	});
	return { url: server.url, close: () => server.close(), lastHistory: () => lastLead };
}
