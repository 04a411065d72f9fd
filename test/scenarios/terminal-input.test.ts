import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeAnthropicOptions, startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { call, say, temporaryFolder, until } from "../support/supervisor.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const KEY = "sk-ant-test-0123456789";
const SIZES = [
	{ columns: 80, rows: 24 },
	{ columns: 130, rows: 40 },
];
const READY = "/help lists the commands";

type Handler = NonNullable<FakeAnthropicOptions["handler"]>;

async function prepare(size: { readonly columns: number; readonly rows: number }, handler: Handler) {
	const server = await startFakeAnthropicServer({ apiKey: KEY, handler });
	onTestFinished(() => server.close());
	const cwd = join(await temporaryFolder(), "project");
	await mkdir(cwd);
	const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, HOME: join(cwd, "../home") };
	await mkdir(env.HOME);
	const open = (...args: string[]) => openTerminal(args, { ...size, cwd, env });
	const prompts = () =>
		server.requests.map(({ body }) => {
			const [, text] = /"text":("(?:[^"\\]|\\.)*")/.exec(lastText(body)) ?? [];
			return text === undefined ? "" : JSON.parse(text);
		});
	return { server, cwd, open, prompts };
}

const lastText = (body: Parameters<Handler>[0]["body"]) => JSON.stringify(body.messages.at(-1)?.content.at(-1));
const exists = (path: string) =>
	access(path).then(
		() => true,
		() => false,
	);

describe.skipIf(!hasTmux).each(SIZES)("What is typed at a terminal of $columns x $rows", (size) => {
	it("is one prompt when it is pasted, and goes on behind a backslash", async () => {
		const { open, prompts } = await prepare(size, () => say("noted"));
		const terminal = await open();
		await terminal.shows(READY);
		await terminal.paste("first\n  second   line\nthird");
		await terminal.shows("> first⏎  second   line⏎third");
		await terminal.press("Enter");
		await terminal.shows("noted");
		await terminal.type("one\\");
		await terminal.type("two");
		await terminal.shows("noted", 2);
		expect(prompts()).toEqual(["first\n  second   line\nthird", "one\ntwo"]);
	});

	it("is gone after Ctrl-C, and gone on with after Escape", async () => {
		const { open, prompts } = await prepare(size, ({ body }) =>
			lastText(body).includes("wait") ? say("waiting", { delayMs: 600_000 }) : say("noted"),
		);
		const terminal = await open();
		await terminal.shows(READY);
		await terminal.write("SAY hidden");
		await terminal.press("C-c");
		await terminal.shows("> SAY hidden^C");
		await terminal.type("visible");
		await terminal.shows("noted");
		await terminal.type("wait for it");
		await until(() => prompts().length === 2);
		await terminal.type("typed ahead");
		await terminal.shows("(queued: typed ahead)");
		await terminal.press("Escape");
		await terminal.shows("(interrupted)\n> typed ahead");
		await terminal.type(" and changed");
		await terminal.shows("noted", 2);
		expect(prompts()).toEqual(["visible", "wait for it", "typed ahead and changed"]);
	});

	it("waits for the turn's end, in order", async () => {
		let release = (_: undefined) => {};
		const held = new Promise<undefined>((resolve) => {
			release = resolve;
		});
		const { open, prompts } = await prepare(size, async ({ body }) => {
			if (lastText(body).includes("first")) await held;
			return say("noted");
		});
		const terminal = await open();
		await terminal.shows(READY);
		for (const line of ["first", "second", "third"]) await terminal.type(line);
		await terminal.shows("(queued: third)");
		release(undefined);
		await terminal.shows("noted", 3);
		expect(prompts()).toEqual(["first", "second", "third"]);
	});

	it("decides on a call of which everything can be seen", async () => {
		const lines = Array.from({ length: 60 }, (_, at) => `line   ${at}`);
		const command = ["cat > x.txt <<EOF", ...lines, "EOF", "touch EVIL"].join("\n");
		const { open, cwd } = await prepare(size, ({ body }) =>
			lastText(body).includes("go") ? call("bash", { command: `${command} \u001b[2J` }) : say("over"),
		);
		const terminal = await open();
		await terminal.shows(READY);
		await terminal.type("go");
		const cut = await terminal.shows("[v]iew all");
		expect(cut).toMatch(/⋮ \d+ lines are not shown here/);
		expect(cut).toContain("  │ touch EVIL ␛[2J");
		await terminal.type("v");
		const whole = await terminal.shows("[v]iew all", 2);
		for (const line of lines) expect(whole).toContain(`  │ ${line}\n`);
		await terminal.type("what?");
		await terminal.shows("one of the letters in brackets");
		await terminal.type("n");
		await terminal.shows("over");
		expect(await exists(join(cwd, "EVIL"))).toBe(false);
	});

	it("ends one subagent, and the lead hears of it", async () => {
		const { open } = await prepare(size, ({ body }) => {
			const all = JSON.stringify(body.messages);
			if (all.includes("SUBWORK") && !all.includes("start one")) return say("never", { delayMs: 600_000 });
			if (all.includes("task-notification")) return say("It was stopped.");
			if (all.includes("Task dispatched")) return say("It works.");
			return call("task", { description: "a long look", prompt: "SUBWORK", agent_type: "explore" });
		});
		const terminal = await open();
		await terminal.shows(READY);
		await terminal.type("start one");
		await terminal.shows("It works.");
		await terminal.write("/sto");
		await terminal.press("Tab");
		await terminal.shows("> /stop");
		await terminal.press("Tab");
		await terminal.shows("> /stop task_");
		await terminal.press("Enter");
		await terminal.shows("Stopped: 1 subagent.");
		await terminal.shows("It was stopped.");
	});
});

describe.skipIf(!hasTmux)("A folder that was worked in before", () => {
	const size = { columns: 100, rows: 30 };

	it("tells how to come back, and where the conversation stands", async () => {
		const { open } = await prepare(size, () => say("The answer is 42."));
		const first = await open();
		await first.shows(READY);
		await first.type("what is the answer?");
		await first.shows("The answer is 42.");
		await first.type("exit");
		const [, id = ""] = /Resume with: clowder -r (session_\S+)/.exec(await first.shows("Resume with: ")) ?? [];
		expect(await first.ended()).toBe(0);
		for (const flags of [["-c"], ["-r", id]]) {
			const again = await open(...flags);
			await again.shows("The conversation goes on. Last in it:\n  > what is the answer?\n  The answer is 42.\n>");
			await again.press("C-d");
			expect(await again.ended()).toBe(0);
		}
		const picking = await open("-r");
		await picking.shows("1. what is the answer?");
		await picking.type("9");
		await picking.shows("'9' is no number or id of these.");
		await picking.type("1");
		await picking.shows("  The answer is 42.\n>");
	});

	it("asks for trust by showing what it is about, and takes no prompt for an answer", async () => {
		const { open, cwd, prompts } = await prepare(size, () => say("noted"));
		const settings = { permissions: { allow: ["Bash(make *)"] } };
		await mkdir(join(cwd, ".claude"));
		await writeFile(join(cwd, ".claude/settings.json"), JSON.stringify(settings));
		const terminal = await open();
		await terminal.shows("│   Bash(make *)");
		await terminal.type("typed too early");
		await terminal.shows("one of the letters in brackets");
		await terminal.type("n");
		await terminal.shows("Left out: what is listed above.");
		await terminal.shows(READY);
		await terminal.type("hello");
		await terminal.shows("noted");
		expect(prompts()).toEqual(["hello"]);
	});

	it("asks nothing about what the person answered there", async () => {
		const { open, cwd } = await prepare(size, ({ body }) =>
			lastText(body).includes("go") ? call("bash", { command: "touch made" }) : say("over"),
		);
		const first = await open();
		await first.shows(READY);
		await first.type("go");
		await first.shows("Allow it?");
		await first.type("a");
		await first.shows("over");
		await first.type("exit");
		expect(await first.ended()).toBe(0);
		expect(await readFile(join(cwd, ".clowder/settings.local.json"), "utf8")).toContain("Bash(touch made)");
		const again = await open();
		await again.shows(READY);
		await again.type("go");
		expect(await again.shows("over")).not.toContain("Allow it?");
	});

	it("can be left before the first conversation", async () => {
		const { open, cwd } = await prepare(size, () => say("noted"));
		await mkdir(join(cwd, ".claude"));
		await writeFile(join(cwd, ".claude/settings.json"), JSON.stringify({ permissions: { allow: ["Bash(make *)"] } }));
		for (const [key, code] of [
			["C-c", 130],
			["C-d", 0],
		] as const) {
			const terminal = await open();
			await terminal.shows("Do you trust this folder?");
			await terminal.press(key);
			expect(await terminal.ended()).toBe(code);
		}
	});
});
