import { describe, expect, it } from "vitest";
import { defineTool } from "../../src/tools/define-tool.ts";
import { call, say, startSupervisor, until } from "../support/supervisor.ts";

const boom = () => {
	throw new Error("boom");
};

describe("A program's callback that fails", () => {
	it("leaves no question open: the agent is told, the program is warned, the run goes on", async () => {
		let answers = [undefined, 42, boom];
		const { supervisor, warnings } = await startSupervisor(
			{ "*": [...[1, 2, 3].map(() => call("ask_user", { question: "Which?" })), say("went on")] },
			{
				askUser: async () => {
					const [answer, ...rest] = answers;
					answers = rest;
					return (typeof answer === "function" ? answer() : answer) as never;
				},
			},
		);
		const run = supervisor.spawn({ description: "d", prompt: "p", agentType: "general" });
		expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "went on" });
		expect(warnings).toEqual([
			`A question of ${run.id} was not answered: askUser must answer a text, not absent`,
			`A question of ${run.id} was not answered: askUser must answer a text, not 42`,
			`A question of ${run.id} was not answered: askUser failed: boom`,
		]);
	});

	it("is an error result when it is a tool, whatever fails in it or comes out of it", async () => {
		const tools = [
			defineTool({
				name: "bare",
				description: "d",
				inputSchema: { type: "object" },
				execute: () => undefined as never,
			}),
			{
				...defineTool({ name: "picky", description: "d", inputSchema: { type: "object" }, execute: () => "never" }),
				inputSchema: { jsonSchema: { type: "object" }, safeParse: boom } as never,
			},
			defineTool({
				name: "odd",
				description: "d",
				inputSchema: { type: "object" },
				execute: () => ({ content: "fine", extra: boom }) as never,
			}),
		];
		const { supervisor } = await startSupervisor(
			{ "*": [call("bare"), call("picky"), call("odd"), say("went on")] },
			{ tools },
		);
		const run = supervisor.spawn({ description: "d", prompt: "p" });
		const previews: string[] = [];
		for await (const event of run.events()) {
			if (event.type !== "agent-event" || event.event.type !== "tool-finished") continue;
			previews.push(`${event.event.name}: ${event.event.preview}`);
		}
		expect(previews).toEqual([
			"bare: Error: tool 'bare' returned nothing; a tool must return a string or { content: string, isError?: boolean }",
			"picky: Error: boom",
			"odd: fine",
		]);
		expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "went on" });
	});

	it("changes nothing when it listens or is warned", async () => {
		const { supervisor } = await startSupervisor({ "*": [say("went on")] }, { onWarning: boom });
		let told = 0;
		const rejects: () => unknown = async () => {
			told += 1;
			throw new Error("async boom");
		};
		supervisor.on("run-changed", rejects);
		supervisor.on("run-changed", boom);
		const lead = await supervisor.startLead();
		lead.on(boom);
		expect(await lead.prompt("p")).toMatchObject({ reason: "done", finalText: "went on" });
		await until(() => told > 0);
	});
});
