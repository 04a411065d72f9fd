import { describe, expect, it } from "vitest";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import type { FakeScript } from "../../src/testing/fake-reply.ts";
import { openTrusted } from "../support/project.ts";
import { call, say, temporaryFolder } from "../support/supervisor.ts";

const FILES = {
	".claude/agents/committer.md":
		"---\nname: committer\ndescription: Commits: always: with care\ntools: Bash(git *), Read\n---\nYou commit.\n",
	".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Says hello\n---\nSay hello to $ARGUMENTS.\n",
	".claude/commands/review.md": "Review $1 with care.\n",
	".claude/settings.json": JSON.stringify({
		permissions: { deny: ["Bash(rm *)"], allow: ["Bash(echo *)"] },
		hooks: {
			PreToolUse: [
				{
					matcher: "Bash",
					hooks: [{ type: "command", command: "grep -q forbidden && { echo 'not that word' >&2; exit 2; } || exit 0" }],
				},
			],
		},
	}),
	"CLAUDE.md": "Always answer in rhyme.\n",
};

async function openProject(script: FakeScript, more: Partial<SupervisorOptions> = {}) {
	const cwd = await temporaryFolder();
	const { supervisor, server, warnings } = await openTrusted(cwd, FILES, script, more);
	const systemOf = (index: number) => JSON.stringify(server.requests[index]?.body.system);
	const resultOf = (index: number) => JSON.stringify(server.requests[index]?.body.messages.at(-1));
	return { supervisor, server, warnings, systemOf, resultOf };
}

describe("What people already have", () => {
	it("reaches the lead: instructions, agent types, skills, permissions and hooks", async () => {
		const { supervisor, server, systemOf, resultOf, warnings } = await openProject([
			call("skill", { name: "greet", arguments: "Ann" }),
			call("bash", { command: "echo allowed" }),
			call("bash", { command: "echo forbidden" }),
			call("bash", { command: "rm -r x" }),
			call("skill", { name: "nothing" }),
			say("done"),
		]);
		expect(warnings).toEqual([]);
		expect(supervisor.agentTypes()).toContain("committer");
		const lead = await supervisor.startLead();
		expect(await lead.prompt("go")).toMatchObject({ reason: "done", finalText: "done" });
		expect(systemOf(0)).toContain("Always answer in rhyme.");
		expect(systemOf(0)).toContain("- greet: Says hello");
		expect(JSON.stringify(server.requests[0]?.body.tools)).toContain("- committer: Commits: always: with care");
		expect(resultOf(1)).toContain("Say hello to Ann.");
		expect(resultOf(2)).toContain("allowed");
		expect(resultOf(3)).toContain("not that word");
		expect(resultOf(4)).toContain("Bash(rm *)");
		expect(resultOf(5)).toContain("there is no skill 'nothing'; known: greet");
	});

	it("limits a subagent to what its file lists", async () => {
		const { supervisor, server, resultOf, systemOf } = await openProject([
			call("bash", { command: "echo allowed by the session only" }),
			say("done"),
		]);
		const run = supervisor.spawn({ description: "commit", prompt: "go", agentType: "committer" });
		expect(await run.result()).toMatchObject({ status: "COMPLETED" });
		expect(systemOf(0)).toContain("You commit.");
		expect(server.requests[0]?.body.tools?.map((tool) => (tool as { name: string }).name)).toEqual([
			"read_file",
			"bash",
			"job_output",
			"job_stop",
		]);
		expect(resultOf(1)).toContain("the agent type committer may not make this call; it may use Bash(git *)");
	});

	it("is the same to the byte in the system and tool blocks of two runs of one agent type", async () => {
		const { supervisor, server } = await openProject([say("one"), say("two")]);
		for (const prompt of ["first", "second"]) {
			await supervisor.spawn({ description: prompt, prompt, agentType: "code" }).result();
		}
		const blocks = server.requests.map(({ body }) => JSON.stringify([body.system, body.tools]));
		expect(blocks).toHaveLength(2);
		expect(blocks[0]).toBe(blocks[1]);
		expect(blocks[0]).toContain("cache_control");
	});

	it("counts only as far as it restricts while the folder is not trusted", async () => {
		const { supervisor, resultOf } = await openProject([call("bash", { command: "CI=1 echo allowed" }), say("done")], {
			project: { files: "untrusted" },
		});
		expect(supervisor.withheld.length).toBeGreaterThan(0);
		await (await supervisor.startLead()).prompt("go");
		expect(resultOf(1)).toContain("there is nobody to ask");
	});
});

describe("A lead's conversation", () => {
	it("is shortened when a person asks for it, and goes on", async () => {
		const { supervisor, server } = await openProject([
			say("first"),
			say("second"),
			say("summary of both"),
			say("third"),
		]);
		const lead = await supervisor.startLead();
		await lead.prompt("one");
		await lead.prompt("two");
		const { finalText } = await lead.compact("numbers");
		expect(finalText).toMatch(/compact/);
		expect(await lead.prompt("three")).toMatchObject({ finalText: "third" });
		expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("one");
	});
});
