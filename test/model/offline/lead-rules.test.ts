import { describe, expect, it } from "vitest";
import { type PartReport, renderPartReport } from "../../../src/model/offline/part-report.ts";
import { surveyPrompt } from "../../../src/model/offline/survey-prompts.ts";
import type { Message } from "../../../src/wire/conversation.ts";
import {
	type Agent,
	ask,
	callsPerTurn,
	createAgent,
	createLead,
	LEAD_TOOLS,
	notification,
	prompt,
	type RunTool,
	requestOf,
	userMessage,
} from "./fake-loop.ts";

const TREE: RunTool = (name) =>
	name === "bash"
		? { content: "a/\nb/\nnode_modules/\nREADME.md", isError: false }
		: { content: "b/1.ts\nb/2.ts\na/1.ts\nREADME.md", isError: false };

function reportOn(part: string, figures: Partial<PartReport> = {}): string {
	return renderPartReport({
		part,
		totals: { files: 2, lines: 30, todos: 0, exports: 1, entryPoints: 0, emptyOrBinary: 0 },
		purpose: [],
		languages: [{ language: "TypeScript", files: 2, lines: 30 }],
		entryPoints: [],
		exports: [],
		todos: [],
		largestFiles: [],
		imports: [],
		notes: [],
		...figures,
	});
}

async function startSurvey(runTool: RunTool = TREE) {
	const lead = createLead(runTool);
	return { ...lead, text: await prompt(lead.agent, userMessage(surveyPrompt("/w/shop"))) };
}

const tell = (agent: Agent, ...texts: string[]) => prompt(agent, userMessage(...texts));

describe("the lead of a survey", () => {
	it("looks first, then starts all parts in one message, and ends its turn", async () => {
		const { agent, started, text } = await startSurvey();
		expect(callsPerTurn(agent).map((calls) => calls.map(({ name }) => name))).toEqual([
			["bash", "glob"],
			["task", "task", "task"],
			[],
		]);
		expect(started.map(({ description }) => description)).toEqual(["survey b", "survey (root files)", "survey a"]);
		expect(callsPerTurn(agent)[1]?.[0]?.input.agent_type).toBe("explore");
		expect(text).toBe("0 of 3 parts reported.");
	});

	it("says how many have reported until all have ended, then merges", async () => {
		const { agent } = await startSurvey();
		expect(await tell(agent, notification("task_2", "COMPLETED", reportOn("(root files)")))).toBe(
			"1 of 3 parts reported.",
		);
		expect(await tell(agent, notification("task_1", "COMPLETED", reportOn("b")))).toBe("2 of 3 parts reported.");
		const report = await tell(agent, notification("task_3", "COMPLETED", reportOn("a")));
		expect(report).toContain("3 of 3 parts reported: 6 files, 90 lines, 0 TODO/FIXME, 0 entry points, 3 exports.");
		expect(report).toContain("- Folders that were skipped: `node_modules`.");
		expect(report).toContain("offline model: fixed rules, no LLM");
	});

	it("takes several notices at once, and one twice", async () => {
		const { agent } = await startSurvey();
		const first = notification("task_1", "COMPLETED", reportOn("b"));
		expect(await tell(agent, first, first)).toBe("1 of 3 parts reported.");
		const rest = [2, 3].map((n) => notification(`task_${n}`, "COMPLETED", reportOn(`part ${n}`)));
		expect(await tell(agent, ...rest)).toContain("3 of 3 parts reported");
	});

	it("takes a notice that stands beside tool results", async () => {
		const lead = createLead(TREE);
		await tell(lead.agent, surveyPrompt("/w/shop"));
		const last = lead.agent.messages.at(-2) as Message;
		lead.agent.messages.splice(-2);
		const results = last.content as Parameters<typeof userMessage>[0][];
		const text = await prompt(lead.agent, userMessage(...results, notification("task_1", "COMPLETED", reportOn("b"))));
		expect(text).toBe("1 of 3 parts reported.");
	});

	it("counts a failed part as ended and lists it with its reason", async () => {
		const { agent } = await startSurvey();
		await tell(agent, notification("task_1", "FAILED", "no sign of life for 600 s", "idle-timeout"));
		await tell(agent, notification("task_2", "COMPLETED", reportOn("(root files)")));
		const report = await tell(agent, notification("task_3", "COMPLETED", reportOn("a")));
		expect(report).toContain("2 of 3 parts reported");
		expect(report).toContain("| `b` | failed | – | – | – | – | – | – |");
		expect(report).toContain("## Failures\n\n- `b`: `idle-timeout: no sign of life for 600 s`");
	});

	it("lists a part that could not be started", async () => {
		const lead = createLead(TREE);
		const agent = createAgent(LEAD_TOOLS, (name, input) =>
			name === "task" && input.description === "survey a"
				? { content: "Error: agent type 'explore' may not be started from here", isError: true }
				: lead.agent.runTool(name, input),
		);
		await tell(agent, surveyPrompt("/w/shop"));
		const done = ["b", "(root files)"].map((part, at) => notification(`task_${at + 1}`, "COMPLETED", reportOn(part)));
		expect(await tell(agent, ...done)).toContain("- `a`: `Error: agent type 'explore' may not be started from here`");
	});

	it("starts a part again that was refused for want of room, each time one has ended", async () => {
		let running = 0;
		const started: string[] = [];
		const agent = createAgent(LEAD_TOOLS, (name, input) => {
			if (name !== "task") return TREE(name, input);
			if (running === 1) return { content: "Error: max concurrent subagents (1) reached", isError: true };
			running += 1;
			started.push(String(input.description));
			return { content: `Task dispatched: task_${started.length}\nUse query_task to check status.`, isError: false };
		});
		const finish = (part: string) => {
			running -= 1;
			return tell(agent, notification(`task_${started.length}`, "COMPLETED", reportOn(part)));
		};
		expect(await tell(agent, surveyPrompt("/w/shop"))).toBe(
			"0 of 3 parts reported, 2 to be started when there is room.",
		);
		expect(await finish("b")).toBe("1 of 3 parts reported, 1 to be started when there is room.");
		await finish("(root files)");
		expect(await finish("a")).toContain("3 of 3 parts reported");
		expect(started).toEqual(["survey b", "survey (root files)", "survey a"]);
	});

	it("gives up a part that finds no room although nothing of its own runs", async () => {
		const agent = createAgent(LEAD_TOOLS, (name, input) =>
			name === "task" ? { content: "Error: max concurrent subagents (1) reached", isError: true } : TREE(name, input),
		);
		const report = await tell(agent, surveyPrompt("/w/shop"));
		expect(callsPerTurn(agent).map((calls) => calls.length)).toEqual([2, 3, 3, 0]);
		expect(report).toContain("- `a` was never started: `Error: max concurrent subagents (1) reached`");
	});

	it("asks with query_task when a notice does not say enough", async () => {
		const lead = createLead(TREE);
		const asked: unknown[] = [];
		const agent = createAgent(LEAD_TOOLS, (name, input) => {
			if (name !== "query_task") return lead.agent.runTool(name, input);
			asked.push(input.task_id);
			const text =
				input.task_id === "task_1" ? `COMPLETED.\n\nResult:\n${reportOn("b")}` : "FAILED.\n\nError:\nout of memory";
			return { content: `Task ${input.task_id} ${text}`, isError: input.task_id !== "task_1" };
		});
		await tell(agent, surveyPrompt("/w/shop"));
		expect(await tell(agent, notification("task_1", "COMPLETED", ""))).toBe("1 of 3 parts reported.");
		const unknown = "<task-notification>\n<task-id>task_2</task-id>\n</task-notification>";
		const report = await tell(agent, unknown, notification("task_3", "COMPLETED", reportOn("a")));
		expect(asked).toEqual(["task_1", "task_2"]);
		expect(report).toContain("- `(root files)`: `out of memory`");
		expect(report).toContain("2 of 3 parts reported");
	});

	it("shows what a part said in a shape of its own", async () => {
		const lead = createLead(TREE);
		const agent = createAgent(LEAD_TOOLS, (name, input) =>
			name === "query_task"
				? { content: `Task ${input.task_id} COMPLETED.\n\nResult:\nIt is fine.`, isError: false }
				: lead.agent.runTool(name, input),
		);
		await tell(agent, surveyPrompt("/w/shop"));
		const report = await tell(
			agent,
			notification("task_1", "COMPLETED", "It is fine."),
			notification("task_2", "COMPLETED", reportOn("(root files)")),
			notification("task_3", "COMPLETED", reportOn("a")),
		);
		expect(report).toContain("### `b`\n\nIt answered in a shape of its own:\n\n> It is fine.");
		expect(report).toContain("| `b` | see below |");
	});

	it("takes a final text where task answers at once", async () => {
		const agent = createAgent(LEAD_TOOLS, (name, input) =>
			name === "task" ? { content: reportOn(String(input.description)), isError: false } : TREE(name, input),
		);
		expect(await tell(agent, surveyPrompt("/w/shop"))).toContain("3 of 3 parts reported");
	});

	it("says why a folder cannot be surveyed", async () => {
		const agent = createAgent(LEAD_TOOLS, () => ({ content: "Error: path escapes workspace: /w/shop", isError: true }));
		expect(await tell(agent, surveyPrompt("/w/shop"))).toMatch(
			/^`\/w\/shop` cannot be surveyed: `Error: path escapes workspace: \/w\/shop`/,
		);
	});

	it("says that an empty folder holds nothing", async () => {
		const agent = createAgent(LEAD_TOOLS, (name) => ({
			content: name === "bash" ? "(no output)" : "(no matches)",
			isError: false,
		}));
		expect(await tell(agent, surveyPrompt("/w/shop"))).toMatch(/^There is nothing to survey in `\/w\/shop`/);
	});

	it("goes on without bash when that is denied", async () => {
		const { started } = await startSurvey((name, input) =>
			name === "bash" ? { content: "Error: permission denied", isError: true } : TREE(name, input),
		);
		expect(started.map(({ description }) => description)).toEqual(["survey b", "survey (root files)", "survey a"]);
	});

	it("sizes the folders one by one when the list was cut", async () => {
		const sizes: Record<string, string> = {
			"/w/shop/a": "a/1.ts\n... (299 more files; narrow the pattern or the path)",
			"/w/shop/b": "b/1.ts\nb/2.ts",
			"/w/shop/c": "(no matches)",
		};
		const { agent, started } = await startSurvey((name, input) => {
			if (name === "bash")
				return {
					content: input.command === "ls -1Ap -- '/w/shop'" ? "a/\nb/\nc/\nREADME.md" : "x/\ny/",
					isError: false,
				};
			if (input.pattern === "*")
				return { content: input.path === "/w/shop" ? "README.md" : "(no matches)", isError: false };
			const known = sizes[String(input.path)];
			if (known) return { content: known, isError: false };
			if (input.path !== "/w/shop") return { content: `${String(input.path).slice(8)}/1.ts`, isError: false };
			return { content: "b/1.ts\n... (302 more files; narrow the pattern or the path)", isError: false };
		});
		expect(started.map(({ description }) => description)).toEqual([
			"survey b",
			"survey (root files)",
			"survey a/x",
			"survey a/y",
		]);
		expect(callsPerTurn(agent).map((calls) => calls.length)).toEqual([2, 4, 1, 3, 4, 0]);
	});

	it("writes what it has when it may call no more tools", async () => {
		const { agent } = await startSurvey();
		await tell(agent, notification("task_1", "COMPLETED", reportOn("b")));
		agent.messages.push(userMessage("<system-reminder>\nThe limit of 50 turns is reached.\n</system-reminder>"));
		const reply = await ask({ ...requestOf(agent.messages, LEAD_TOOLS), toolFree: true });
		expect(reply.stopReason).toBe("end_turn");
		expect(JSON.stringify(reply.content)).toContain("1 of 3 parts reported");
		expect(JSON.stringify(reply.content)).toContain("`a` has not ended");
	});

	it("answers a person meanwhile, and still merges", async () => {
		const { agent } = await startSurvey();
		const answer = await tell(agent, "how far are you?");
		expect(answer).toContain("I am the offline model");
		expect(answer).toContain("A survey is under way: 0 of 3 parts reported.");
		await tell(agent, notification("task_1", "COMPLETED", reportOn("b")));
		await tell(agent, notification("task_2", "COMPLETED", reportOn("(root files)")));
		const both = await tell(agent, notification("task_3", "COMPLETED", reportOn("a")), "and now?");
		expect(both).toContain("I am the offline model");
		expect(both).toContain("3 of 3 parts reported");
		expect(await tell(agent, notification("task_9", "COMPLETED", "late"))).toBe("I took note; nothing waits for this.");
	});

	it("starts afresh when a survey is asked for again", async () => {
		const { agent, started } = await startSurvey();
		const done = [1, 2, 3].map((n) => notification(`task_${n}`, "COMPLETED", reportOn(`part ${n}`)));
		await tell(agent, ...done);
		expect(await tell(agent, "survey /w/shop")).toBe("0 of 3 parts reported.");
		expect(started.length).toBe(6);
		expect(await tell(agent, notification("task_6", "COMPLETED", reportOn("a")))).toBe("1 of 3 parts reported.");
	});

	it("shows the imports between parts as a matrix and as a list", async () => {
		const { agent } = await startSurvey();
		const imports = [{ part: "a", count: 4, example: "b/1.ts:3" }];
		const report = await tell(
			agent,
			notification("task_1", "COMPLETED", reportOn("b", { imports })),
			notification("task_2", "COMPLETED", reportOn("(root files)")),
			notification("task_3", "COMPLETED", reportOn("a")),
		);
		expect(report).toContain(`## Imports between parts

| imports (row from column) | \`a\` | \`b\` |
| --- | ---: | ---: |
| \`a\` | – | 0 |
| \`b\` | 4 | – |

| part | imports from | lines | example |
| --- | --- | ---: | --- |
| \`b\` | \`a\` | 4 | \`b/1.ts:3\` |`);
	});
});
