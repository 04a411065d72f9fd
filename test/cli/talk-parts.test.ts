import { describe, expect, it } from "vitest";
import { runStop, STOP_USAGE } from "../../src/cli/commands/stop.ts";
import { completeCommand } from "../../src/cli/repl/complete-command.ts";
import { lastExchange } from "../../src/cli/repl/last-exchange.ts";
import { askForSession, formatSessions, pickSession } from "../../src/cli/repl/pick-session.ts";
import { createQueuedPrompts } from "../../src/cli/repl/queued-prompts.ts";
import type { SessionSummary } from "../../src/runtime/sessions/find-session.ts";
import type { LiveRunStatus } from "../../src/runtime/status.ts";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import type { Message } from "../../src/wire/conversation.ts";

const run = (id: string, name: string, kind: LiveRunStatus["kind"] = "subagent") =>
	({ id, name, description: name, kind }) as LiveRunStatus;

describe("/stop", () => {
	function host(...runs: LiveRunStatus[]) {
		const stopped: string[] = [];
		const supervisor = {
			status: () => ({ runs }),
			team: { list: () => [{ name: "ann" }] },
			stop: async (id: string) => {
				stopped.push(id);
				return { stopped: [id] };
			},
		} as unknown as Supervisor;
		return { supervisor, stopped };
	}
	const both = [run("task_aaaa1111-x", "scout"), run("task_bbbb2222-y", "scout"), run("lead_1", "lead", "lead")];

	it("ends a subagent by its id, the id's beginning, or its name", async () => {
		for (const wanted of ["task_aaaa1111-x", "aaaa1111", "task_aaaa"]) {
			const { supervisor, stopped } = host(...both);
			expect(await runStop(wanted, supervisor)).toBe("Stopped: 1 subagent.");
			expect(stopped).toEqual(["task_aaaa1111-x"]);
		}
		const { supervisor, stopped } = host(run("task_1", "scout"));
		expect(await runStop("scout", supervisor)).toBe("Stopped: 1 subagent.");
		expect(stopped).toEqual(["task_1"]);
	});

	it("ends all of them, and no lead", async () => {
		const { supervisor, stopped } = host(...both);
		expect(await runStop("all", supervisor)).toBe("Stopped: 2 subagents.");
		expect(stopped).toEqual(["task_aaaa1111-x", "task_bbbb2222-y"]);
	});

	it("ends nothing that is not meant for certain", async () => {
		const { supervisor, stopped } = host(...both);
		expect(await runStop("scout", supervisor)).toBe(
			"2 subagents are called 'scout':\n  task_aaaa1111-x  scout\n  task_bbbb2222-y  scout",
		);
		expect(await runStop("lead_1", supervisor)).toBe(`No running subagent is called 'lead_1'. ${STOP_USAGE}`);
		expect(await runStop("ann", supervisor)).toBe("'ann' is a teammate: /team stop ann asks it to shut down.");
		expect(await runStop("", supervisor)).toBe(STOP_USAGE);
		expect(stopped).toEqual([]);
	});
});

describe("completeCommand", () => {
	const supervisor = {
		commands: [{ name: "deploy" }, { name: "de\u001b[2J" }],
		status: () => ({ runs: [run("task_1", "scout"), run("lead_1", "lead", "lead")] }),
		jobs: {
			list: () => [
				{ id: "job_1", status: "running" },
				{ id: "job_2", status: "completed" },
			],
		},
		schedules: { list: () => [] },
		team: { list: () => [{ name: "ann" }, { name: "bob" }] },
	} as unknown as Supervisor;

	it("offers commands, the project's own among them", () => {
		expect(completeCommand("/co", supervisor)).toEqual(["/compact ", "/cost "]);
		expect(completeCommand("/de", supervisor)).toEqual(["/deploy "]);
		expect(completeCommand("say /co", supervisor)).toEqual([]);
	});

	it("offers the ids and names that a command may take", () => {
		expect(completeCommand("/stop ", supervisor)).toEqual(["/stop task_1 "]);
		expect(completeCommand("/jobs stop ", supervisor)).toEqual(["/jobs stop job_1 "]);
		expect(completeCommand("/team message b", supervisor)).toEqual(["/team message bob "]);
		expect(completeCommand("/team message bob h", supervisor)).toEqual([]);
	});
});

describe("createQueuedPrompts", () => {
	function lead() {
		const said: string[] = [];
		const queued: string[] = [];
		const state = { busy: false };
		const prompt = async (text: string) => {
			said.push(text);
			state.busy = true;
			return { reason: "done", finalText: "", woken: false } as never;
		};
		const queue = createQueuedPrompts(
			{
				...state,
				prompt,
				get busy() {
					return state.busy;
				},
			},
			(text) => void queued.push(text),
		);
		return { queue, said, queued, state };
	}

	it("says one prompt after the other, and tells which ones wait", () => {
		const { queue, said, queued, state } = lead();
		for (const text of ["one", "two", "three"]) queue.say(text);
		expect([said, queued]).toEqual([["one"], ["two", "three"]]);
		queue.sayNext();
		expect(said).toEqual(["one"]);
		state.busy = false;
		queue.sayNext();
		expect(said).toEqual(["one", "two"]);
	});

	it("gives back what waits, and says none of it later", () => {
		const { queue, said, state } = lead();
		for (const text of ["one", "two", "three"]) queue.say(text);
		expect(queue.takeBack()).toBe("two\nthree");
		state.busy = false;
		queue.sayNext();
		expect([said, queue.takeBack()]).toEqual([["one"], ""]);
	});
});

describe("Picking a conversation", () => {
	const sessions: SessionSummary[] = Array.from({ length: 12 }, (_, at) => ({
		id: `session_${String.fromCharCode(97 + at)}${at}`,
		title: `title ${at + 1} ${"x".repeat(90)}`,
		lastActiveAt: 0,
	}));
	const layout = { nowMs: 180_000, rows: 10, columns: 40 };

	function person(...answers: string[]) {
		const printed: string[] = [];
		const region = { ...layout, update: () => {}, clear: () => {}, print: (text: string) => void printed.push(text) };
		return {
			printed,
			parts: { person: { line: async () => answers.shift() ?? "" }, region, nowMs: 180_000, none: "to stay" },
		};
	}

	it("fits its list into the terminal, a row for each", () => {
		const lines = formatSessions(sessions, 0, layout).split("\n");
		expect(lines).toHaveLength(6);
		expect(lines[0]).toBe("   1. title 1 xxxxxxxxxxx…  (3 min ago)");
		expect(lines.at(-1)).toBe("      … 7 older");
		expect(formatSessions(sessions, 0, { ...layout, columns: 130 }).split("\n")[0]).toContain(
			"(3 min ago, session_a0)",
		);
	});

	it("takes a number, an id or a beginning that only one has", () => {
		expect(pickSession("2", sessions)).toBe("session_b1");
		expect(pickSession("session_c2", sessions)).toBe("session_c2");
		expect(pickSession("session_c", sessions)).toBe("session_c2");
		expect(["", "99", "session_", "nope"].map((text) => pickSession(text, sessions))).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	it("asks again until the answer means one, and shows older ones", async () => {
		const { parts, printed } = person("99", "nope", "m", "7");
		expect(await askForSession("", sessions, parts)).toBe("session_g6");
		expect(printed.slice(1, 3)).toEqual([
			"'99' is no number or id of these.\n",
			"'nope' is no number or id of these.\n",
		]);
		expect(printed[3]).toContain("   6. title 6");
	});

	it("asks nothing where an id is given or nothing is there, and takes an empty answer for none", async () => {
		expect(await askForSession(" other ", sessions, person().parts)).toBe("other");
		expect(await askForSession("", sessions, person("").parts)).toBeUndefined();
		const { parts, printed } = person();
		expect(await askForSession("", [], parts)).toBeUndefined();
		expect(printed).toEqual(["There are no other conversations in this folder.\n"]);
	});
});

describe("lastExchange", () => {
	const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
	const assistant = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

	it("shows what the person asked last and what came of it, without what came of itself", () => {
		expect(
			lastExchange([
				user("first"),
				assistant("one"),
				user("second\n question"),
				assistant("looking"),
				user("<task-notification>\nx"),
				assistant("two\u001b[2J"),
			]),
		).toEqual(["  > second question", "  two"]);
	});

	it("shows no answer of a prompt before, and nothing of an empty conversation", () => {
		expect(lastExchange([user("first"), assistant("one"), user("second")])).toEqual(["  > second"]);
		expect(lastExchange([])).toEqual([]);
	});
});
