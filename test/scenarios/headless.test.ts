import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mostAtOnce } from "../../src/cli/timeline.ts";
import { type FakeAnthropicOptions, startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { runCli } from "../support/cli.ts";
import { call, say, temporaryFolder } from "../support/supervisor.ts";

const KEY = "sk-ant-test-0123456789";

async function startServer(options: FakeAnthropicOptions) {
	const server = await startFakeAnthropicServer({ apiKey: KEY, ...options });
	onTestFinished(() => server.close());
	return { server, env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY } };
}

const delegate = {
	text: "I hand both parts out.",
	toolUses: [
		{ name: "task", input: { description: "count apples", prompt: "Count the APPLES.", agent_type: "explore" } },
		{ name: "task", input: { description: "count pears", prompt: "Count the PEARS.", agent_type: "explore" } },
	],
};

describe("clowder -p against a server that speaks the Messages API", () => {
	it("runs two task calls of one message at the same time in two threads and answers with both results", async () => {
		const { server, env } = await startServer({
			handler: ({ body }) => {
				const last = JSON.stringify(body.messages.at(-1));
				const all = JSON.stringify(body.messages);
				if (all.includes("APPLES") && !all.includes("Compare the fruit")) return say("3 apples", { delayMs: 400 });
				if (all.includes("PEARS") && !all.includes("Compare the fruit")) return say("5 pears", { delayMs: 400 });
				if (!all.includes("Task dispatched")) return delegate;
				const known = ["3 apples", "5 pears"].filter((fact) => all.includes(fact));
				if (known.length === 2) return say("There are 3 apples and 5 pears.");
				return say(last.includes("Task dispatched") ? "Both are on their way." : "One is still missing.");
			},
		});
		const cwd = await temporaryFolder();
		const { code, stdout, stderr } = await runCli(["-p", "Compare the fruit", "--output-format", "json"], { cwd, env });
		expect(stderr).toBe("");
		expect(code).toBe(0);
		const result = JSON.parse(stdout);
		expect(result).toMatchObject({
			type: "result",
			subtype: "success",
			is_error: false,
			result: "There are 3 apples and 5 pears.",
			session_id: expect.stringMatching(/^session_/),
			usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
		});
		expect(result.runs).toHaveLength(2);
		for (const run of result.runs) {
			expect(run).toMatchObject({ agentType: "explore", status: "COMPLETED", reason: "done", usage: { turns: 1 } });
		}
		expect(result.runs.map((run: { description: string }) => run.description).sort()).toEqual([
			"count apples",
			"count pears",
		]);
		expect(new Set(result.runs.map((run: { threadId: number }) => run.threadId)).size).toBe(2);
		expect(mostAtOnce(result.runs)).toBe(2);
		expect(server.requests.filter((request) => request.path === "/v1/messages").length).toBeGreaterThanOrEqual(5);
	});

	it("sends the model's answer alone to stdout as text", async () => {
		const { env } = await startServer({ script: [say("forty-two")] });
		const cwd = await temporaryFolder();
		const { code, stdout, stderr } = await runCli(["-p", "six times seven"], { cwd, env });
		expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "forty-two\n", stderr: "" });
	});

	it("joins the argument and standard input", async () => {
		const { env, server } = await startServer({ script: [say("ok")] });
		const cwd = await temporaryFolder();
		await runCli(["-p", "Summarise"], { cwd, env, input: "the piped text" });
		expect(server.requests[0]?.body.messages[0]).toMatchObject({
			role: "user",
			content: [{ type: "text", text: "Summarise\n\nthe piped text" }],
		});
	});

	it("writes stream-json lines from init over messages to the result", async () => {
		const { env } = await startServer({ script: [call("glob", { pattern: "*.txt" }), say("one file")] });
		const cwd = await temporaryFolder();
		await writeFile(join(cwd, "a.txt"), "a");
		const { stdout, code } = await runCli(["-p", "list", "--output-format", "stream-json"], { cwd, env });
		expect(code).toBe(0);
		const lines = stdout
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(lines.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type))).toEqual([
			"system/init",
			"user",
			"assistant",
			"user",
			"assistant",
			"result/success",
		]);
		expect(lines.every((line) => line.session_id === lines[0].session_id && typeof line.uuid === "string")).toBe(true);
		expect(lines[0]).toMatchObject({ cwd, model: "claude-sonnet-5-5", permissionMode: "default" });
		expect(lines[3].message.content[0]).toMatchObject({ type: "tool_result", content: "a.txt" });
	});

	it("tries a call again that was limited, and one whose stream broke", async () => {
		const { env, server } = await startServer({
			script: [{ error: { status: 429, retryAfterMs: 50 } }, { text: "half of", cutAfterEvents: 3 }, say("whole")],
		});
		const cwd = await temporaryFolder();
		const { code, stdout } = await runCli(["-p", "go"], { cwd, env });
		expect({ code, stdout }).toEqual({ code: 0, stdout: "whole\n" });
		expect(server.requests).toHaveLength(3);
	});
});

describe("clowder -p with a slash command", () => {
	const commands = {
		"fix.md": "---\nallowed-tools: Bash(echo *)\n---\nFix $1 $2. It says !`echo so`.",
		"bad.md": "Look: !`touch made`",
	};

	async function run(args: readonly string[], input = "") {
		const { env, server } = await startServer({ script: [say("fixed")] });
		const cwd = await temporaryFolder();
		await mkdir(join(cwd, ".claude", "commands"), { recursive: true });
		for (const [name, text] of Object.entries(commands)) await writeFile(join(cwd, ".claude", "commands", name), text);
		await mkdir(join(cwd, ".claude", "skills", "greet"), { recursive: true });
		await writeFile(join(cwd, ".claude", "skills", "greet", "SKILL.md"), "---\ndescription: d\n---\nGreet $ARGUMENTS.");
		const ended = await runCli(["-p", ...args], { cwd, env, input });
		const asked = server.requests.map(({ body }) => body.messages[0]?.content);
		return { ...ended, asked: JSON.stringify(asked) };
	}

	it("asks what the command or skill stands for", async () => {
		const fix = await run(["/fix 12 now"]);
		expect(fix).toMatchObject({ code: 0, stdout: "fixed\n", stderr: "" });
		expect(fix.asked).toContain("Fix 12 now. It says so.");
		expect((await run([], "/greet bob")).asked).toContain("Greet bob.");
	});

	it.each([
		["/nosuch", "Unknown slash command: nosuch"],
		["/clear", "/clear works in an interactive session only: run clowder without -p"],
		["/bad", "/bad cannot run `touch made`: Permission denied: no rule allows 'touch made'"],
	])("answers %s by itself, without the model", async (prompt, text) => {
		const { code, stdout, stderr, asked } = await run([prompt]);
		expect({ code, asked }).toEqual({ code: 1, asked: "[]" });
		expect(stdout).toContain(text);
		expect(stderr).toContain(`clowder: ${text}`);
	});

	it("answers what it knows itself, and lists what there is in the first line of stream-json", async () => {
		expect(await run(["/cost"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Total"), asked: "[]" });
		const { stdout } = await run(["/nosuch", "--output-format", "stream-json"]);
		const [init, result] = stdout.split("\n").map((line) => (line === "" ? undefined : JSON.parse(line)));
		expect(init.slash_commands).toEqual(expect.arrayContaining(["compact", "cost", "fix", "greet"]));
		expect(init.slash_commands).not.toContain("clear");
		expect(result).toMatchObject({ type: "result", is_error: true, result: "Unknown slash command: nosuch" });
	});
});

describe("clowder -p with flags that choose", () => {
	it("tells each turn and tool call on stderr with --verbose", async () => {
		const { env } = await startServer({
			script: [{ text: "I look.", ...call("glob", { pattern: "*.txt" }) }, say("one file")],
		});
		const cwd = await temporaryFolder();
		await writeFile(join(cwd, "a.txt"), "a");
		const { stdout, stderr } = await runCli(["-p", "list", "--verbose"], { cwd, env });
		expect(stdout).toBe("one file\n");
		expect(stderr.replace(/\d+ ms/, "9 ms")).toBe(
			"turn 1\n  I look.\n  glob: *.txt\n  glob done (9 ms): a.txt\nturn 2\n",
		);
	});

	it("lets an agent type answer, with some tools only and a prompt from a file", async () => {
		const { env, server } = await startServer({ script: [say("ok"), say("ok")] });
		const cwd = await temporaryFolder();
		await writeFile(join(cwd, "more.txt"), "Speak like a cat.\n");
		const agents = JSON.stringify({ poet: { description: "writes", prompt: "You are a poet." } });
		const args = ["-p", "hi", "--agents", agents, "--agent", "poet", "--tools", "Read,Bash"];
		await runCli([...args, "--append-system-prompt-file", "more.txt"], { cwd, env });
		const body = server.requests[0]?.body as { system: unknown; tools: readonly { name: string }[] } | undefined;
		expect(JSON.stringify(body?.system)).toMatch(/You are a poet\..*Speak like a cat\./);
		expect(body?.tools.map(({ name }) => name).sort()).toEqual(["bash", "job_output", "job_stop", "read_file"]);
		expect(await runCli(["-p", "hi", "--tools", ""], { cwd, env })).toMatchObject({ code: 0, stdout: "ok\n" });
	});
});

describe("clowder doctor", () => {
	it("looks at everything, also where there is no key", async () => {
		const cwd = await temporaryFolder();
		const { code, stdout } = await runCli(["doctor"], { cwd });
		expect(code).toBe(1);
		expect(stdout).toMatch(/ok {3}Node\.js/);
		expect(stdout).toMatch(/FAIL Model +.*ANTHROPIC_API_KEY/);
	});
});

describe("clowder -p with something wrong", () => {
	const oneLine = /^clowder: [^\n]+\n$/;
	const check = (stderr: string) => {
		expect(stderr).toMatch(oneLine);
		expect(stderr).not.toContain(KEY);
		expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
	};

	it.each([
		["an unknown flag", ["-p", "x", "--no-such-flag"], {}, 2, /unknown option '--no-such-flag'/],
		["a bad number", ["-p", "x", "--max-turns", "none"], {}, 2, /--max-turns/],
		["no prompt", ["-p"], { ANTHROPIC_API_KEY: KEY }, 2, /There is no prompt/],
		["no key", ["-p", "x"], {}, 1, /no API key.*ANTHROPIC_API_KEY/],
		[
			"a base URL that is none",
			["-p", "x"],
			{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: "nowhere" },
			1,
			/ANTHROPIC_BASE_URL/,
		],
		["a folder that is not there", ["demo", "/no/such/folder"], {}, 1, /\/no\/such\/folder does not exist/],
		[
			"settings that are not there",
			["-p", "x", "--settings", "/no/such.json"],
			{},
			2,
			/\/no\/such\.json: there is no such file/,
		],
		["settings that are no JSON", ["-p", "x", "--settings", "{bad"], {}, 2, /--settings:1: it is no JSON/],
		[
			"an agent type that is not there",
			["-p", "x", "--agent", "nobody"],
			{ ANTHROPIC_API_KEY: KEY },
			2,
			/no agent type 'nobody'/,
		],
		[
			"a tool that is not there",
			["-p", "x", "--tools", "Read,Fly"],
			{ ANTHROPIC_API_KEY: KEY },
			2,
			/no built-in tool 'Fly'/,
		],
		[
			"a prompt that a flag took",
			["-p", "--allowedTools", "Bash", "do it"],
			{},
			2,
			/--allowedTools takes every word that follows; put the prompt before the flag or after --/,
		],
		[
			"a prompt file that is not there",
			["-p", "x", "--system-prompt-file", "gone"],
			{},
			2,
			/--system-prompt-file cannot be read/,
		],
		[
			"a command of another program",
			["mcp"],
			{},
			2,
			/There is no command 'mcp': there is no support for MCP servers yet/,
		],
		["agents that are no JSON", ["-p", "x", "--agents", "{bad"], {}, 2, /--agents: it is no JSON/],
		[
			"a schema that is no object",
			["-p", "x", "--json-schema", "[]"],
			{ ANTHROPIC_API_KEY: KEY },
			2,
			/--json-schema must be a JSON object/,
		],
	])("says in one line what to do about %s", async (_what, args, env, exitCode, text) => {
		const cwd = await temporaryFolder();
		const { code, stdout, stderr } = await runCli(args, { cwd, env });
		check(stderr);
		expect(stderr).toMatch(text);
		expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
	});

	it("answers under a settings file that it cannot read, and runs nothing that the file may forbid", async () => {
		const { env, server } = await startServer({
			script: [call("bash", { command: "touch made" }), call("read_file", { path: "a.txt" }), say("as far as I may")],
		});
		const cwd = await temporaryFolder();
		await mkdir(join(cwd, ".claude"));
		await writeFile(join(cwd, "a.txt"), "text\n");
		await writeFile(join(cwd, ".claude", "settings.json"), '{"permissions": {"deny": ["Bash"]');
		const args = ["-p", "x", "--dangerously-skip-permissions", "--output-format", "json"];
		const { code, stdout, stderr } = await runCli(args, { cwd, env });
		expect(stderr).toContain(`${join(".claude", "settings.json")}:1: it is no JSON`);
		expect(stderr).toContain("settings.json is corrected: what it forbids is not known");
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			result: "as far as I may",
			permission_denials: [{ tool_name: "bash" }, { tool_name: "read_file" }],
		});
		expect(server.requests).toHaveLength(3);
		expect(existsSync(join(cwd, "made"))).toBe(false);
	});

	it("says that a key was refused, without the key", async () => {
		const { env } = await startServer({ apiKey: "another", script: [] });
		const cwd = await temporaryFolder();
		const { code, stdout, stderr } = await runCli(["-p", "x"], { cwd, env });
		check(stderr);
		expect(stderr).toMatch(/ANTHROPIC_API_KEY/);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});

	it("says that the model does not exist", async () => {
		const { env } = await startServer({ models: ["claude-real"], script: [] });
		const cwd = await temporaryFolder();
		const { code, stderr } = await runCli(["-p", "x", "--model", "claude-imaginary"], { cwd, env });
		check(stderr);
		expect(stderr).toContain("claude-imaginary");
		expect(code).toBe(1);
	});

	it("says that the server cannot be reached", async () => {
		const cwd = await temporaryFolder();
		const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLOWDER_MAX_ATTEMPTS: "1" };
		const { code, stderr } = await runCli(["-p", "x"], { cwd, env });
		check(stderr);
		expect(stderr).toContain("127.0.0.1:9");
		expect(code).toBe(1);
	});

	it("says that the state folder cannot be used", async () => {
		const cwd = await temporaryFolder();
		await writeFile(join(cwd, "taken"), "a file");
		await mkdir(join(cwd, "work"));
		const { code, stderr } = await runCli(["-p", "x", "--state-dir", join(cwd, "taken")], {
			cwd: join(cwd, "work"),
			env: { ANTHROPIC_API_KEY: KEY },
		});
		check(stderr);
		expect(stderr).toContain(join(cwd, "taken"));
		expect(code).toBe(1);
	});

	it("puts a start that failed into the json result too", async () => {
		const cwd = await temporaryFolder();
		const { code, stdout, stderr } = await runCli(["-p", "x", "--output-format", "json"], { cwd });
		check(stderr);
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({
			type: "result",
			subtype: "error_during_execution",
			is_error: true,
			result: expect.stringContaining("ANTHROPIC_API_KEY"),
			num_turns: 0,
		});
	});

	it("answers what was asked before a line of stream-json that cannot be read", async () => {
		const { env } = await startServer({ script: [say("first answer")] });
		const cwd = await temporaryFolder();
		const input = `${JSON.stringify({ type: "user", message: { role: "user", content: "one" } })}\n{oops\n`;
		const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
		const { code, stdout, stderr } = await runCli(args, { cwd, env, input });
		expect({ code, stderr }).toEqual({ code: 2, stderr: "clowder: Line 2 of standard input is not JSON\n" });
		expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
			type: "result",
			result: "first answer",
		});
	});

	it("puts a provider's error into the json result too", async () => {
		const { env } = await startServer({ apiKey: "another", script: [] });
		const cwd = await temporaryFolder();
		const { code, stdout } = await runCli(["-p", "x", "--output-format", "json"], { cwd, env });
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({
			subtype: "error_during_execution",
			is_error: true,
			reason: "provider-error",
		});
		expect(stdout).not.toContain(KEY);
	});
});

describe("clowder -p with teammates", () => {
	const spawn = call("spawn_teammate", { name: "ann", role: "looks", prompt: "LOOK", agent_type: "general" });
	const denied = call("write_file", { path: "new.txt", content: "x" });

	it("waits for them, is woken by them, denies at once what nobody can allow, says so, and ends", async () => {
		const { env } = await startServer({
			handler: ({ body }) => {
				const all = JSON.stringify(body.messages);
				const calls = body.messages.filter(({ role }) => role === "assistant").length;
				if (all.includes("You are 'ann'"))
					return [denied, say("I could not write, but I looked", { delayMs: 300 })][calls] ?? say("?");
				if (all.includes("I could not write")) return say("ann has looked");
				return [spawn, say("ann is on it")][calls] ?? say("?");
			},
		});
		const cwd = await temporaryFolder();
		const { code, stdout } = await runCli(["-p", "have somebody look", "--output-format", "json"], { cwd, env });
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			result: "ann has looked",
			teammates: [{ name: "ann", role: "looks", status: "IDLE" }],
			permission_denials: [{ tool_name: "write_file", agent: "ann", reason: "nobody" }],
		});
	});
});
