// Real hooks: Python and Node scripts and shell lines, started as people's hooks are.

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HookEventName } from "../../src/hooks/events.ts";
import type { HookGroup, HooksConfig } from "../../src/hooks/hook-config.ts";
import { createUserHooks } from "../../src/hooks/user-hooks.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { isGroupAlive, signalGroup } from "../../src/tools/process/process-group.ts";
import { makeTree } from "../config/make-tree.ts";

const hasPython = (() => {
	try {
		execFileSync("python3", ["--version"]);
		return true;
	} catch {
		console.warn("Hooks in Python are not tested: there is no python3 on this machine");
		return false;
	}
})();

const groups = new Set<number>();
afterEach(() => {
	for (const pid of groups) signalGroup(pid, "SIGKILL");
	groups.clear();
});
const processes = { marker: { CLOWDER_MARK: "m1" }, add: (pid: number) => void groups.add(pid), remove: () => {} };

interface SetupOptions {
	readonly clock?: Clock;
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
}

async function setup(files: Record<string, string>, hooks: HooksConfig, options: SetupOptions = {}) {
	const root = await makeTree(files);
	const warnings: string[] = [];
	const userHooks = createUserHooks({
		hooks,
		projectDir: root,
		env: { PATH: process.env.PATH, ...options.env },
		session: { sessionId: "s1", transcriptPath: "/t/s1.jsonl" },
		clock: options.clock ?? systemClock,
		onWarning: (text) => warnings.push(text),
		processes,
	});
	const controller = new AbortController();
	const cwd = options.cwd ?? root;
	const run = (event: string, payload: Record<string, unknown>) =>
		userHooks.run(event, payload, { cwd, permissionMode: "default" }, controller.signal);
	return { root, warnings, userHooks, controller, run };
}

const group = (matcher: string, ...commands: string[]): HookGroup => ({
	matcher,
	hooks: commands.map((command) => ({ command, source: "settings.json" })),
});
const on = (event: HookEventName, ...hookGroups: HookGroup[]): HooksConfig => ({ [event]: hookGroups });
const bash = (command: string) => ({ toolUseId: "u1", toolName: "bash", input: { command } });
const json = (value: unknown) => `printf '%s' '${JSON.stringify(value)}'`;
const decide = (permissionDecision: string, more: object = {}) =>
	json({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } });

describe("user hooks in Python and Node", () => {
	it.skipIf(!hasPython)("lets a Python hook block a call with exit code 2", async () => {
		const guard = [
			"import json, sys",
			"call = json.load(sys.stdin)",
			"if 'rm -rf' in call['tool_input']['command']:",
			"    print('no deleting here', file=sys.stderr)",
			"    sys.exit(2)",
		].join("\n");
		const { run, warnings } = await setup(
			{ "guard.py": guard },
			on("PreToolUse", group("Bash", 'python3 "$CLAUDE_PROJECT_DIR"/guard.py')),
		);
		expect(await run("PreToolUse", bash("rm -rf /"))).toEqual({ blocked: "no deleting here" });
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
		expect(warnings).toEqual([]);
	});

	it("lets a Node hook rewrite the input in Claude Code's names", async () => {
		const rewrite = [
			"let text = '';",
			"process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {",
			"  const { tool_name, tool_input } = JSON.parse(text);",
			"  const updatedInput = { ...tool_input, new_string: tool_input.new_string.trimEnd() + ' // ' + tool_name };",
			"  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };",
			"  console.log(JSON.stringify({ hookSpecificOutput }));",
			"});",
		].join("\n");
		const { run, root } = await setup(
			{ "rewrite.js": rewrite },
			on("PreToolUse", group("Edit|Write", "node rewrite.js")),
		);
		const input = { path: "src/a.ts", old_text: "a", new_text: "b  " };
		expect(await run("PreToolUse", { toolUseId: "u1", toolName: "edit_file", input })).toEqual({
			permission: "allow",
			replaced: { path: join(root, "src/a.ts"), old_text: "a", new_text: "b // Edit" },
		});
	});

	it.skipIf(!hasPython)("shows a crash of a Python hook and goes on", async () => {
		const { run, warnings } = await setup({}, on("PreToolUse", group("", `python3 -c 'raise SystemError("boom")'`)));
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
		expect(warnings).toEqual([
			`PreToolUse hook 'python3 -c 'raise SystemError("boom")'' (settings.json) failed with exit code 1: Traceback (most recent call last):; it has no effect`,
		]);
	});

	it("adds what a Node hook prints to a prompt", async () => {
		const { run } = await setup({}, on("UserPromptSubmit", group("", `node -p '"branch: main"'`)));
		expect(await run("UserPromptSubmit", { prompt: "hello" })).toEqual({ context: "branch: main" });
	});
});

describe("what user hooks are given", () => {
	const dump = "cat > got.json; env > got.env";
	const facts = { session_id: "s1", transcript_path: "/t/s1.jsonl", permission_mode: "default" };

	it.each<[HookEventName, Record<string, unknown>, Record<string, unknown>]>([
		["PreToolUse", bash("ls"), { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "u1" }],
		[
			"PostToolUse",
			{ ...bash("ls"), result: { content: "a\n", isError: false, durationMs: 7 } },
			{
				tool_name: "Bash",
				tool_input: { command: "ls" },
				tool_use_id: "u1",
				tool_response: {
					content: "a\n",
					success: true,
					is_error: false,
					stdout: "a\n",
					stderr: "",
					interrupted: false,
				},
				duration_ms: 7,
			},
		],
		["UserPromptSubmit", { prompt: "hi" }, { prompt: "hi" }],
		[
			"Stop",
			{ stopHookActive: true, lastAssistantMessage: "done" },
			{ stop_hook_active: true, last_assistant_message: "done" },
		],
		[
			"SubagentStop",
			{ runId: "task_1", agentType: "explore", stopHookActive: false, lastAssistantMessage: "x" },
			{ agent_id: "task_1", agent_type: "explore", stop_hook_active: false, last_assistant_message: "x" },
		],
		[
			"SubagentStart",
			{ runId: "task_1", agentType: "plan", description: "d" },
			{ agent_id: "task_1", agent_type: "plan", description: "d" },
		],
		["PreCompact", { trigger: "manual", focus: "tests" }, { trigger: "manual", custom_instructions: "tests" }],
		["SessionStart", { source: "resume" }, { source: "resume" }],
		["SessionEnd", { reason: "exit" }, { reason: "exit" }],
		[
			"Notification",
			{ message: "m", notificationType: "idle_prompt" },
			{ message: "m", notification_type: "idle_prompt" },
		],
		["TeammateIdle", { teammateName: "researcher" }, { teammate_name: "researcher" }],
		["TaskCreated", { taskId: "t1", taskSubject: "Fix it" }, { task_id: "t1", task_subject: "Fix it" }],
		[
			"TaskCompleted",
			{ taskId: "t1", taskSubject: "Fix it", teammateName: "r" },
			{ task_id: "t1", task_subject: "Fix it", teammate_name: "r" },
		],
	])("gives %s its fields on stdin", async (event, payload, fields) => {
		const { run, root } = await setup({}, on(event, group("", dump)));
		await run(event, payload);
		expect(JSON.parse(await readFile(join(root, "got.json"), "utf8"))).toEqual({
			...facts,
			cwd: root,
			hook_event_name: event,
			...fields,
		});
	});

	it("sets the project's folder, runs in the agent's folder and holds no credentials", async () => {
		const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t", FOO: "bar" };
		const { run, root } = await setup({}, on("Notification", group("", dump)), { env });
		await run("Notification", { message: "m" });
		const lines = (await readFile(join(root, "got.env"), "utf8")).split("\n");
		expect(lines).toEqual(
			expect.arrayContaining([
				`CLAUDE_PROJECT_DIR=${root}`,
				`CLOWDER_PROJECT_DIR=${root}`,
				`PWD=${root}`,
				"FOO=bar",
				"CLOWDER_MARK=m1",
			]),
		);
		expect(lines.filter((line) => line.startsWith("ANTHROPIC_"))).toEqual([]);
	});

	it("gives a hook the project that its own file belongs to", async () => {
		const elsewhere = await makeTree({ "hook.sh": 'printf "%s" "$CLAUDE_PROJECT_DIR"' });
		const hook = { command: 'sh "$CLAUDE_PROJECT_DIR/hook.sh"', source: "settings.json", projectDir: elsewhere };
		const { run } = await setup({}, on("UserPromptSubmit", { matcher: "", hooks: [hook] }));
		expect(await run("UserPromptSubmit", { prompt: "p" })).toEqual({ context: elsewhere });
	});

	it("runs in the project's folder when the agent's is gone", async () => {
		const { run, root, warnings } = await setup({}, on("UserPromptSubmit", group("", "pwd")), {
			cwd: "/nowhere/at/all",
		});
		expect(await run("UserPromptSubmit", { prompt: "p" })).toEqual({ context: root });
		expect(warnings).toEqual([]);
	});

	it("names the subagent and its transcript", async () => {
		const { userHooks, root, controller } = await setup({}, on("PreToolUse", group("", dump)));
		const agent = {
			cwd: root,
			permissionMode: "plan",
			agentId: "task_9",
			agentType: "code",
			transcriptPath: "/t/9.jsonl",
		};
		await userHooks.run("PreToolUse", bash("ls"), agent, controller.signal);
		expect(JSON.parse(await readFile(join(root, "got.json"), "utf8"))).toMatchObject({
			agent_id: "task_9",
			agent_type: "code",
			transcript_path: "/t/9.jsonl",
			permission_mode: "plan",
		});
	});
});

describe("which user hooks run", () => {
	it("lists the events that have hooks and answers others at once", async () => {
		const { userHooks, run } = await setup({}, { ...on("Stop", group("", "exit 2")), Notification: [] });
		expect(userHooks.events).toEqual(["Stop"]);
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
		expect(await run("NoSuchEvent", {})).toEqual({});
	});

	it("matches tools by every name they have", async () => {
		const say = (word: string) =>
			json({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: word } });
		const { run } = await setup(
			{},
			on(
				"PreToolUse",
				group("Edit|Write", say("theirs")),
				group("edit_file", say("ours")),
				group("Multi.*", say("pattern")),
				group("Bash", say("other")),
				group("*", say("all")),
			),
		);
		expect(await run("PreToolUse", { toolUseId: "u", toolName: "edit_file", input: {} })).toEqual({
			context: "theirs\n\nours\n\npattern\n\nall",
		});
	});

	it("matches session starts by source, compactions by trigger and subagents by type", async () => {
		const { run } = await setup(
			{},
			{
				SessionStart: [group("resume", "echo resumed"), group("startup", "echo started")],
				SubagentStop: [group("explore", "echo no >&2; exit 2")],
				PreCompact: [group("manual", "echo later >&2; exit 2")],
			},
		);
		expect(await run("SessionStart", { source: "resume" })).toEqual({ context: "resumed" });
		expect(await run("SubagentStop", { agentType: "code" })).toEqual({});
		expect(await run("SubagentStop", { agentType: "explore" })).toEqual({ blocked: "no" });
		expect(await run("PreCompact", { trigger: "auto" })).toEqual({});
		expect(await run("PreCompact", { trigger: "manual" })).toEqual({ blocked: "later" });
	});

	it("runs identical commands once and all others in parallel", async () => {
		// Each waits until the other has started: one after the other they would never end.
		const meet = (own: string, other: string) =>
			`echo x >> count; touch ${own}; until [ -e ${other} ]; do sleep 0.01; done`;
		const { run, root } = await setup(
			{},
			on("Stop", group("", meet("a", "b"), meet("b", "a"), meet("a", "b")), group("", meet("b", "a"))),
		);
		await run("Stop", { stopHookActive: false, lastAssistantMessage: "" });
		expect(await readFile(join(root, "count"), "utf8")).toBe("x\nx\n");
	});

	it("warns once of a matcher that is no regular expression and never runs its hook", async () => {
		const { run, warnings } = await setup({}, on("PreToolUse", group("(", "exit 2")));
		expect(warnings).toEqual([
			expect.stringMatching(/^The matcher '\(' of a PreToolUse hook is no valid regular expression/),
		]);
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
	});
});

describe("what user hooks may say", () => {
	it.each<[string, HookEventName, string[], object]>([
		[
			"deny beats ask and allow",
			"PreToolUse",
			[decide("allow"), decide("deny", { permissionDecisionReason: "policy" }), decide("ask")],
			{ blocked: "policy", permission: "ask" },
		],
		["ask beats allow", "PreToolUse", [decide("ask"), decide("allow")], { permission: "ask" }],
		["allow is passed on", "PreToolUse", [decide("allow")], { permission: "allow" }],
		["the old approve is an allow", "PreToolUse", [json({ decision: "approve" })], { permission: "allow" }],
		["the old block is a deny", "PreToolUse", [json({ decision: "block", reason: "old" })], { blocked: "old" }],
		[
			"exit 2 beats allow",
			"PreToolUse",
			[decide("allow"), "echo no >&2; exit 2"],
			{ blocked: "no", permission: "allow" },
		],
		[
			"exit 2 without a word",
			"PreToolUse",
			["exit 2"],
			{ blocked: "PreToolUse hook 'exit 2' (settings.json) gave no reason" },
		],
		["all reasons are told", "PreToolUse", ["echo one >&2; exit 2", "echo two >&2; exit 2"], { blocked: "one\ntwo" }],
		[
			"exit 2 counts, whatever is on stdout",
			"PreToolUse",
			[`${decide("allow")}; echo no >&2; exit 2`],
			{ blocked: "no" },
		],
		[
			"the last rewrite counts",
			"PreToolUse",
			[
				decide("allow", { updatedInput: { command: "a" } }),
				decide("allow", { updatedInput: { command: "b", timeout: 5 } }),
			],
			{ permission: "allow", replaced: { command: "b", timeout_ms: 5 } },
		],
		["plain text before a call means nothing", "PreToolUse", ["echo checked"], {}],
		["continue false stops", "PreToolUse", [json({ continue: false, stopReason: "enough" })], { stop: "enough" }],
		["continue false without a reason", "Stop", [json({ continue: false })], { stop: "A hook ended the turn" }],
		[
			"a Stop hook keeps going",
			"Stop",
			[json({ decision: "block", reason: "run the tests" })],
			{ blocked: "run the tests" },
		],
		["a prompt is blocked", "UserPromptSubmit", [json({ decision: "block", reason: "secret" })], { blocked: "secret" }],
		[
			"contexts are joined",
			"UserPromptSubmit",
			["echo one", json({ hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "two" } })],
			{ context: "one\n\ntwo" },
		],
		[
			"a brace that is no JSON is text for a prompt",
			"UserPromptSubmit",
			["echo '{ not json'"],
			{ context: "{ not json" },
		],
		[
			"after a call exit 2 is told to the model",
			"PostToolUse",
			["echo lint failed >&2; exit 2"],
			{ context: "lint failed" },
		],
		[
			"after a call a block is told to the model",
			"PostToolUse",
			[json({ decision: "block", reason: "lint failed" })],
			{ context: "lint failed" },
		],
		[
			"a result is replaced by text",
			"PostToolUse",
			[
				json({
					hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "short", additionalContext: "cut" },
				}),
			],
			{ replaced: "short", context: "cut" },
		],
		[
			"a result is replaced by an object",
			"PostToolUse",
			[json({ hookSpecificOutput: { updatedToolOutput: { stdout: "x" } } })],
			{ replaced: "x" },
		],
		["a task is held back", "TaskCompleted", ["echo untested >&2; exit 2"], { blocked: "untested" }],
	])("%s", async (_, event, commands, expected) => {
		const { run, warnings } = await setup({}, on(event, group("", ...commands)));
		const payload = { ...bash("ls"), result: { content: "out", isError: false, durationMs: 1 } };
		expect(await run(event, payload)).toEqual(expected);
		expect(warnings).toEqual([]);
	});

	it.each<[string, HookEventName, string, string]>([
		["another exit code", "PreToolUse", "echo oops >&2; exit 1", " failed with exit code 1: oops; it has no effect"],
		[
			"a missing command",
			"PreToolUse",
			"no-such-command-here 2>/dev/null",
			" failed with exit code 127; it has no effect",
		],
		["a signal", "PreToolUse", "kill -9 $$", " was ended by a signal; it has no effect"],
		["JSON that cannot be read", "PreToolUse", "echo '{oops'", " answered JSON that cannot be read ("],
		[
			"a decision that does not exist",
			"PreToolUse",
			decide("maybe"),
			`: its permissionDecision "maybe" is not one of allow, deny, ask`,
		],
		[
			"a top decision that does not exist",
			"Stop",
			json({ decision: "no" }),
			`: its decision "no" is not known; write "block"`,
		],
		[
			"an answer to another event",
			"PreToolUse",
			json({ hookSpecificOutput: { hookEventName: "Stop" } }),
			`: its hookSpecificOutput is for "Stop", not for PreToolUse; it is ignored`,
		],
		[
			"an input that is no object",
			"PreToolUse",
			decide("allow", { updatedInput: "ls" }),
			": updatedInput must be an object",
		],
		["a block where nothing can be blocked", "SessionEnd", "echo stay >&2; exit 2", ": stay"],
	])("shows the person %s", async (_, event, command, expected) => {
		const { run, warnings } = await setup({}, on(event, group("", command)));
		const result = await run(event, bash("ls"));
		expect(result).not.toHaveProperty("blocked");
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain(expected);
	});

	it("shows the person a system message as it is", async () => {
		const { run, warnings } = await setup({}, on("Stop", group("", json({ systemMessage: "Tests are slow today" }))));
		expect(await run("Stop", { stopHookActive: false, lastAssistantMessage: "" })).toEqual({});
		expect(warnings).toEqual(["Tests are slow today"]);
	});
});

describe("user hooks that misbehave", () => {
	it("ends a hook that hangs, with everything it started, when its time is up", async () => {
		const clock = createFakeClock();
		const hook = { command: "sleep 600 & sleep 600; wait", source: "settings.json", timeoutMs: 30_000 };
		const { run, warnings } = await setup({}, on("PreToolUse", { matcher: "", hooks: [hook] }), { clock });
		const ran = run("PreToolUse", bash("ls"));
		await waitUntil(() => expect(groups.size).toBe(1));
		await clock.advance(29_999);
		expect(await groupsAlive()).toEqual([true]);
		await clock.advance(1);
		expect(await ran).toEqual({});
		expect(warnings).toEqual([
			"PreToolUse hook 'sleep 600 & sleep 600; wait' (settings.json) was ended after 30 s; it has no effect",
		]);
		await waitUntil(async () => expect(await groupsAlive()).not.toContain(true));
	});

	it("gives a hook 60 seconds where its settings name no time", async () => {
		const clock = createFakeClock();
		const { run, warnings } = await setup({}, on("Stop", group("", "sleep 600")), { clock });
		const ran = run("Stop", { stopHookActive: false, lastAssistantMessage: "" });
		await waitUntil(() => expect(groups.size).toBe(1));
		await clock.advance(60_000);
		await ran;
		expect(warnings).toEqual(["Stop hook 'sleep 600' (settings.json) was ended after 60 s; it has no effect"]);
	});

	it("ends its hooks when the agent is interrupted, and says nothing", async () => {
		const { run, warnings, controller } = await setup(
			{},
			on("PreToolUse", group("", "sleep 600", "echo no >&2; exit 2")),
		);
		const ran = run("PreToolUse", bash("ls"));
		await waitUntil(() => expect(groups.size).toBe(2));
		controller.abort();
		expect(await ran).toEqual({});
		expect(warnings).toEqual([]);
		await waitUntil(async () => expect(await groupsAlive()).not.toContain(true));
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
	});

	it("does not wait for what a hook leaves running in the background", async () => {
		const clock = createFakeClock();
		const { run } = await setup({}, on("UserPromptSubmit", group("", "sleep 600 & echo ready")), { clock });
		let result: unknown;
		void run("UserPromptSubmit", { prompt: "p" }).then((answer) => {
			result = answer;
		});
		await waitUntil(async () => {
			await clock.advance(100);
			expect(result).toEqual({ context: "ready" });
		});
		expect(await groupsAlive()).toEqual([true]);
	});

	it("survives 10 MB of garbage on both outputs and still honours the exit code", async () => {
		const flood = "head -c 10000000 /dev/urandom; head -c 10000000 /dev/urandom >&2; exit 2";
		const { run } = await setup({}, on("PreToolUse", group("", flood)));
		const { blocked } = await run("PreToolUse", bash("ls"));
		expect(blocked?.length).toBeGreaterThan(1_000);
		expect(blocked?.length).toBeLessThan(10_100);
	});

	it("cuts 10 MB of context to what a model can bear", async () => {
		const { run } = await setup({}, on("UserPromptSubmit", group("", "yes | head -c 10000000")));
		const { context } = await run("UserPromptSubmit", { prompt: "p" });
		expect(context?.slice(0, 4)).toBe("y\ny\n");
		expect(context).toMatch(/\n… \(\d+ more characters left out\)$/);
		expect(context?.length).toBeLessThan(10_100);
	});

	it("calls JSON that is too long by its name", async () => {
		const { run, warnings } = await setup(
			{},
			on("PreToolUse", group("", `printf '{"a":"'; yes | head -c 2000000; printf '"}'`)),
		);
		expect(await run("PreToolUse", bash("ls"))).toEqual({});
		expect(warnings[0]).toContain("answered JSON that cannot be read (it is too long); it has no effect");
	});

	it("does not mind a hook that never reads its input", async () => {
		const { run, warnings } = await setup({}, on("PreToolUse", group("", "exec <&-; exit 0")));
		expect(await run("PreToolUse", bash("x".repeat(5_000_000)))).toEqual({});
		expect(warnings).toEqual([]);
	});

	it("gives a hook a large input whole", async () => {
		const { run } = await setup({}, on("PreToolUse", group("", "wc -c >&2; exit 2")));
		const { blocked } = await run("PreToolUse", bash("x".repeat(3_000_000)));
		expect(Number(blocked)).toBeGreaterThan(3_000_000);
	});

	it("blocks an event that is no plain data instead of leaving the guard out", async () => {
		const { run } = await setup({}, on("PreToolUse", group("", "exit 0")));
		expect(await run("PreToolUse", { toolName: "bash", toolUseId: "u", input: { n: 1n } })).toEqual({
			blocked: "The PreToolUse hooks cannot be asked: the event is no plain data",
		});
	});
});

// Real processes start and end in their own time.
function waitUntil(check: () => void | Promise<void>): Promise<void> {
	return vi.waitFor(check, { timeout: 9_000, interval: 20 });
}

async function groupsAlive(): Promise<boolean[]> {
	return Promise.all([...groups].map(isGroupAlive));
}
