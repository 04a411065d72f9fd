import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeAnthropicOptions, startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { call, say, temporaryFolder, until } from "../support/supervisor.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const KEY = "sk-ant-test-0123456789";
const SIZES = [
	{ columns: 80, rows: 24 },
	{ columns: 120, rows: 40 },
];

type Handler = NonNullable<FakeAnthropicOptions["handler"]>;

async function open(size: { readonly columns: number; readonly rows: number }, handler: Handler) {
	const server = await startFakeAnthropicServer({ apiKey: KEY, handler });
	onTestFinished(() => server.close());
	const cwd = await temporaryFolder();
	const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
	const terminal = await openTerminal([], { ...size, cwd, env });
	await terminal.shows("/help lists the commands");
	return { terminal, server, cwd };
}

describe.skipIf(!hasTmux).each(SIZES)("clowder in a terminal of $columns x $rows", (size) => {
	it("lets a team work through a chain of tasks and shows what happened at the next prompt", async () => {
		const { terminal } = await open(size, ({ body }) => {
			const all = JSON.stringify(body.messages);
			const last = JSON.stringify(body.messages.at(-1));
			if (all.includes("You are 'researcher'") || all.includes("You are 'reviewer'")) {
				const [, id] = /Autonomous task (t\d+):/.exec(last) ?? [];
				return id ? call("complete_task", { task_id: id }) : say("ready");
			}
			if (last.includes("how is it going")) return say("All three are done.");
			if (!last.includes("spawn both")) return say("fine");
			const both = ["researcher", "reviewer"].map((name) => ({
				name: "spawn_teammate",
				input: { name, role: name, prompt: "Wait for a task." },
			}));
			return { toolUses: both };
		});
		await terminal.type("/auto off");
		await terminal.shows("Autonomous agents: OFF");
		for (const [n, after] of [
			[1, ""],
			[2, " --after t1"],
			[3, " --after t2"],
		] as const) {
			await terminal.type(`/task add t${n} task number ${n}${after}`);
			await terminal.shows(`Task created: t${n}`);
		}
		await terminal.type("spawn both");
		await terminal.shows("🤖 spawn teammate 'reviewer' ...");
		for (const name of ["researcher", "reviewer"]) await terminal.shows(`🔔 ${name} is idle`);
		await terminal.type("/team");
		await terminal.shows("Team members (2):\n  researcher  [IDLE]\n  reviewer    [IDLE]");
		await terminal.type("/auto on");
		await terminal.shows("Autonomous agents: ON");
		for (let asked = 1; !(await terminal.text()).includes("completed: 3"); asked += 1) {
			await terminal.type("/auto");
			await terminal.shows("(tick every 10s)", asked);
		}
		expect(await terminal.text()).not.toContain("🔔 auto");
		await terminal.type("how is it going");
		const text = await terminal.shows("All three are done.");
		expect(text.split("\n").filter((line) => line.startsWith("🔔 auto"))).toEqual([
			"🔔 auto - task t1 claimed by researcher",
			"🔔 auto - task t1 completed by researcher",
			"🔔 auto - task t2 claimed by reviewer",
			"🔔 auto - task t2 completed by reviewer",
			"🔔 auto - task t3 claimed by researcher",
			"🔔 auto - task t3 completed by researcher",
		]);
		await terminal.type("exit");
		expect(await terminal.ended()).toBe(0);
	});

	it("stops the turn at the first Ctrl-C, keeps the conversation, and leaves at the second in a row", async () => {
		const { terminal, server } = await open(size, ({ body }) =>
			JSON.stringify(body.messages.at(-1)?.content.at(-1)).includes("count for ever")
				? say("counting", { delayMs: 600_000 })
				: say("I remember counting"),
		);
		await terminal.type("count for ever");
		await until(() => server.requests.length === 1);
		await terminal.press("C-c");
		await terminal.shows("(interrupted)");
		await terminal.type("what did you do?");
		await terminal.shows("I remember counting");
		expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("count for ever");
		await terminal.press("C-c");
		await terminal.shows("Press Ctrl-C again to leave.");
		await terminal.press("C-c");
		expect(await terminal.ended()).toBe(130);
	});

	it("asks for permission in the name of the teammate that wants it, and does as it is told", async () => {
		const { terminal } = await open(size, ({ body }) => {
			const all = JSON.stringify(body.messages);
			const calls = body.messages.filter(({ role }) => role === "assistant").length;
			if (!all.includes("You are 'ann'")) return say("noted");
			return [call("bash", { command: "touch made-by-ann" }), say("over")][calls] ?? say("again");
		});
		await terminal.type("/team spawn ann --role maker make it");
		await terminal.shows("ann (general) wants to run bash");
		await terminal.shows("Allow it?");
		await terminal.type("n");
		await terminal.shows("🔔 ann is idle");
		await terminal.type("/team log ann");
		expect(await terminal.shows("● over")).toContain("The user said no");
		await terminal.press("C-d");
		expect(await terminal.ended()).toBe(0);
	});
});
