import { describe, expect, it, vi } from "vitest";
import { createApprovalStore } from "../../src/permissions/approvals.ts";
import { createPermissionEngine } from "../../src/permissions/engine.ts";
import { labelOf, type PermissionPrompt, type PromptEnd } from "../../src/permissions/prompt.ts";
import { createPermissionQueue, type PermissionQueueOptions } from "../../src/permissions/queue.ts";
import { parseRules, type RuleLists } from "../../src/permissions/rules/parse-rule.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { CWD, callOf, HOME, SOURCE } from "./harness.ts";

function setUp(lists: RuleLists = {}, more: Partial<PermissionQueueOptions> = {}) {
	const clock = createFakeClock(1_000);
	const approvals = createApprovalStore({ clock, root: CWD, settingsFile: ".clowder/settings.local.json" });
	const engine = createPermissionEngine({ rules: parseRules(lists, SOURCE).rules, cwd: CWD, homeDir: HOME, approvals });
	const shown: PermissionPrompt[] = [];
	const ended: [string, PromptEnd][] = [];
	const waits: [string, boolean][] = [];
	const queue = createPermissionQueue({
		engine,
		approvals,
		clock,
		onPrompt: (prompt) => shown.push(prompt),
		onPromptEnd: (requestId, end) => ended.push([requestId, end]),
		onWait: (runId, waiting) => waits.push([runId, waiting]),
		...more,
	});
	return { clock, approvals, engine, queue, shown, ended, waits };
}

const agent = (runId: string, name = runId, type = "code") => ({ runId, name, type, readOnly: false });
const bash = (command: string, runId = "task_1") =>
	callOf("bash", { command }, { agent: agent(runId), toolUseId: `toolu_${command}` });

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

// Turns a promise into what it came to so far.
function watch<T>(promise: Promise<T>): { value?: T; error?: unknown } {
	const seen: { value?: T; error?: unknown } = {};
	promise.then(
		(value) => {
			seen.value = value;
		},
		(error: unknown) => {
			seen.error = error;
		},
	);
	return seen;
}

describe("queue", () => {
	it("answers at once what rules decide", async () => {
		const { queue, shown } = setUp({ allow: ["Bash(ls)"], deny: ["Bash(rm *)"] });
		expect(await queue.request(bash("ls"))).toEqual({ decision: "allow" });
		expect(await queue.request(bash("rm a"))).toEqual({
			decision: "deny",
			message: "Permission denied: 'rm a' is denied by the rule Bash(rm *) in .claude/settings.json",
		});
		expect(shown).toEqual([]);
	});

	it("shows a prompt with the agent's label and what is asked", async () => {
		const { queue, shown } = setUp();
		void queue.request(callOf("bash", { command: "make" }, { agent: agent("task_7", "build it", "code") }));
		expect(shown).toEqual([
			{
				requestId: "permission_1",
				agent: { runId: "task_7", name: "build it", type: "code" },
				toolUseId: "toolu_1",
				toolName: "bash",
				input: { command: "make" },
				cwd: CWD,
				message: "no rule allows 'make'",
				suggestions: ["Bash(make)"],
				askedAt: 1_000,
			},
		]);
		expect(labelOf(shown[0] as PermissionPrompt)).toBe("build it (code)");
	});

	it("keeps prompts in the order of their requests, and takes answers in any order", async () => {
		const { queue, ended } = setUp();
		const results = ["a", "b", "c"].map((command) => watch(queue.request(bash(command, `task_${command}`))));
		expect(queue.pending().map((prompt) => prompt.input)).toEqual([
			{ command: "a" },
			{ command: "b" },
			{ command: "c" },
		]);
		expect(await queue.answer("permission_3", "once")).toEqual({ settled: true });
		expect(await queue.answer("permission_1", { deny: true, message: "use b instead" })).toEqual({ settled: true });
		expect(queue.pending().map((prompt) => prompt.requestId)).toEqual(["permission_2"]);
		await settle();
		expect(results.map((result) => result.value)).toEqual([
			{ decision: "deny", message: "Permission denied by the person: use b instead" },
			undefined,
			{ decision: "allow" },
		]);
		expect(ended).toEqual([
			["permission_3", "answered"],
			["permission_1", "answered"],
		]);
	});

	it("takes no second answer, and none for a prompt that does not exist", async () => {
		const { queue } = setUp();
		const result = queue.request(bash("a"));
		await queue.answer("permission_1", "once");
		expect(await queue.answer("permission_1", { deny: true })).toEqual({ settled: false });
		expect(await queue.answer("permission_9", "once")).toEqual({ settled: false });
		expect(await result).toEqual({ decision: "allow" });
	});

	it("asks again after once, not after conversation", async () => {
		const { queue, shown } = setUp();
		const ask = async (answer: "once" | "conversation") => {
			const result = queue.request(bash("make"));
			await queue.answer(shown.at(-1)?.requestId ?? "", answer);
			return result;
		};
		await ask("once");
		await ask("conversation");
		expect(shown).toHaveLength(2);
		expect(await queue.request(bash("make", "task_2"))).toEqual({ decision: "allow" });
		expect(shown).toHaveLength(2);
	});

	it("settles what waits and is now covered, and leaves the rest", async () => {
		const { queue, ended } = setUp();
		const same = watch(queue.request(bash("make", "task_1")));
		const again = watch(queue.request(bash("make && make", "task_2")));
		const other = watch(queue.request(bash("make && rm a", "task_3")));
		await queue.answer("permission_1", "conversation");
		await settle();
		expect([same.value, again.value, other.value]).toEqual([{ decision: "allow" }, { decision: "allow" }, undefined]);
		expect(ended).toEqual([
			["permission_1", "answered"],
			["permission_2", "covered"],
		]);
	});

	it("judges again after a change of mode or rules", async () => {
		const { queue, engine } = setUp();
		const edit = watch(queue.request(callOf("edit_file", { path: "a" })));
		const make = watch(queue.request(bash("make")));
		engine.setMode("acceptEdits");
		queue.recheck();
		engine.setRules(parseRules({ deny: ["Bash(make)"] }, SOURCE).rules);
		queue.recheck();
		await settle();
		expect(edit.value).toEqual({ decision: "allow" });
		expect(make.value).toMatchObject({ decision: "deny" });
		expect(queue.pending()).toEqual([]);
	});

	it("denies at once when there is nobody to ask, and keeps a record", async () => {
		const { queue } = setUp();
		queue.setPromptHandler(undefined);
		expect(await queue.request(bash("make"))).toEqual({
			decision: "deny",
			message:
				"Permission denied: no rule allows 'make', and there is nobody to ask. " +
				'It could be allowed beforehand by a rule: "Bash(make)"',
		});
		expect(queue.denials()).toEqual([
			{
				tool_name: "bash",
				tool_use_id: "toolu_make",
				tool_input: { command: "make" },
				agent: "task_1",
				reason: "nobody",
				message: expect.stringContaining("nobody to ask"),
			},
		]);
	});

	it("denies at once in a turn that may not ask, though somebody is there", async () => {
		const { queue, shown } = setUp();
		expect(await queue.request({ ...bash("$x"), unattended: true })).toMatchObject({
			decision: "deny",
			message:
				"Permission denied: no rule can allow this command: the command's name is not known until it runs: $x, " +
				"and this turn may not ask a person",
		});
		expect(shown).toEqual([]);
	});

	it("denies what waits when the person leaves", async () => {
		const { queue } = setUp();
		const result = watch(queue.request(bash("make")));
		queue.setPromptHandler(undefined);
		await settle();
		expect(result.value).toMatchObject({ decision: "deny" });
		expect(queue.pending()).toEqual([]);
	});

	it("denies what cannot be shown", async () => {
		const { queue } = setUp(
			{},
			{
				onPrompt: () => {
					throw new Error("no terminal");
				},
			},
		);
		expect(await queue.request(bash("make"))).toEqual({
			decision: "deny",
			message: "Permission denied: the question could not be shown: no terminal",
		});
	});

	it("denies what cannot be judged", async () => {
		const { queue, engine } = setUp();
		vi.spyOn(engine, "decide").mockImplementation(() => {
			throw new Error("broken");
		});
		expect(await queue.request(bash("ls"))).toEqual({
			decision: "deny",
			message: "Permission denied: the call could not be judged: broken",
		});
	});

	it("records every denial with its reason", async () => {
		const { queue } = setUp({ deny: ["Bash(rm *)"] });
		await queue.request(bash("rm a"));
		const asked = queue.request(bash("make"));
		await queue.answer("permission_1", { deny: true });
		await asked;
		expect(queue.denials().map(({ reason, tool_input }) => [reason, tool_input])).toEqual([
			["policy", { command: "rm a" }],
			["person", { command: "make" }],
		]);
	});

	it("keeps no more than the last thousand denials", async () => {
		const { queue } = setUp({ deny: ["WebFetch"] });
		for (let n = 0; n < 1_005; n += 1)
			await queue.request(callOf("web_fetch", { url: "https://a.b" }, { toolUseId: `toolu_${n}` }));
		expect(queue.denials()).toHaveLength(1_000);
		expect(queue.denials()[0]?.tool_use_id).toBe("toolu_5");
	});
});

describe("waiting", () => {
	it("tells once when an agent starts to wait and once when it no longer does", async () => {
		const { queue, waits } = setUp();
		void queue.request(bash("a", "task_1"));
		void queue.request(bash("b", "task_1"));
		void queue.request(bash("c", "task_2"));
		expect(waits).toEqual([
			["task_1", true],
			["task_2", true],
		]);
		await queue.answer("permission_1", "once");
		expect(waits).toHaveLength(2);
		await queue.answer("permission_2", "once");
		await queue.answer("permission_3", { deny: true });
		expect(waits.slice(2)).toEqual([
			["task_1", false],
			["task_2", false],
		]);
	});

	it("never says that an agent waits when it does not", async () => {
		const { queue, waits } = setUp({ allow: ["Bash(ls)"] });
		await queue.request(bash("ls"));
		queue.setPromptHandler(undefined);
		await queue.request(bash("make"));
		expect(waits).toEqual([]);
	});

	it("withdraws the prompts of an agent that has ended, without calling it a denial", async () => {
		const { queue, waits, ended } = setUp();
		const gone = watch(queue.request(bash("a", "task_1")));
		const stays = watch(queue.request(bash("b", "task_2")));
		queue.withdraw("task_1");
		await settle();
		expect(gone.error).toMatchObject({ code: "ERR_ABORTED", message: "The agent ended before anyone answered" });
		expect(stays).toEqual({});
		expect(ended).toEqual([["permission_1", "withdrawn"]]);
		expect(waits.at(-1)).toEqual(["task_1", false]);
		expect(queue.denials()).toEqual([]);
	});

	it("withdraws a prompt when its call is cancelled", async () => {
		const { queue, ended, clock } = setUp({}, { answerTimeoutMs: 60_000 });
		const controller = new AbortController();
		const result = watch(queue.request(bash("a"), controller.signal));
		controller.abort();
		await settle();
		expect(result.error).toMatchObject({ code: "ERR_ABORTED" });
		expect(ended).toEqual([["permission_1", "withdrawn"]]);
		expect(clock.pending()).toBe(0);
		await expect(queue.request(bash("b"), controller.signal)).rejects.toMatchObject({ code: "ERR_ABORTED" });
	});

	it("waits for ever unless told otherwise", async () => {
		const { queue, clock } = setUp();
		const result = watch(queue.request(bash("a")));
		await clock.advance(7 * 24 * 3_600_000);
		expect(result).toEqual({});
		expect(queue.pending()).toHaveLength(1);
	});

	it("gives up with a reason of its own when nobody answers in time", async () => {
		const { queue, clock, ended, waits } = setUp({}, { answerTimeoutMs: 60_000 });
		const result = watch(queue.request(bash("a")));
		await clock.advance(59_999);
		expect(result).toEqual({});
		await clock.advance(1);
		expect(result.value).toEqual({
			decision: "deny",
			message: "Permission denied: nobody answered within 60 s; no person has refused it",
		});
		expect(queue.denials()[0]?.reason).toBe("timeout");
		expect(ended).toEqual([["permission_1", "timeout"]]);
		expect(waits.at(-1)).toEqual(["task_1", false]);
	});

	it("stops the time of an answer that came", async () => {
		const { queue, clock } = setUp({}, { answerTimeoutMs: 60_000 });
		const result = queue.request(bash("a"));
		await queue.answer("permission_1", "once");
		expect(clock.pending()).toBe(0);
		expect(await result).toEqual({ decision: "allow" });
	});
});

describe("always", () => {
	it("writes the rules, and holds after the conversation is cleared", async () => {
		const written: (readonly string[])[] = [];
		const { queue, approvals } = setUp({}, { persistAlways: async (rules) => void written.push(rules) });
		const result = queue.request(bash("make && npm test"));
		expect(await queue.answer("permission_1", "always")).toEqual({ settled: true });
		expect(await result).toEqual({ decision: "allow" });
		expect(written).toEqual([["Bash(make)", "Bash(npm test *)"]]);
		approvals.clear();
		expect(await queue.request(bash("npm test unit"))).toEqual({ decision: "allow" });
	});

	it("lets the call run before the file is written, and says when it could not be", async () => {
		const { queue } = setUp({}, { persistAlways: () => Promise.reject(new Error("disk full")) });
		const result = watch(queue.request(bash("make")));
		const receipt = queue.answer("permission_1", "always");
		await settle();
		expect(result.value).toEqual({ decision: "allow" });
		expect(await receipt).toEqual({
			settled: true,
			warning: "Allowed until this program ends, but not written: disk full",
		});
	});

	it("counts as once where no rule can cover the call", async () => {
		const written: unknown[] = [];
		const { queue } = setUp(
			{ ask: ["Bash(npm publish)"] },
			{ persistAlways: async (rules) => void written.push(rules) },
		);
		void queue.request(bash("npm publish"));
		expect(await queue.answer("permission_1", "always")).toEqual({
			settled: true,
			warning: "Allowed this once: no rule can cover a call like this",
		});
		expect(written).toEqual([]);
		void queue.request(bash("npm publish"));
		expect(queue.pending()).toHaveLength(1);
	});
});
