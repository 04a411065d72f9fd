import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import { openTrusted } from "../support/project.ts";
import { say, temporaryFolder, until } from "../support/supervisor.ts";

const FILES = {
	".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Says hello\n---\nSay hello to $ARGUMENTS.\n",
	".claude/commands/review.md": "Review $1 with care.\n",
	".claude/commands/sub/deep.md": "Go deep.\n",
	".claude/commands/made.md":
		"---\nallowed-tools: Bash(echo *), Bash(cat *)\n---\nSaid: !`echo $1 > said; cat said`\nDone.\n",
	".claude/commands/undone.md": "---\nallowed-tools: Bash(echo *)\n---\nBefore !`touch made` after.\n",
	".claude/commands/banned.md": "---\nallowed-tools: Bash\n---\n!`rm -r src`\n",
	".claude/commands/with-file.md": "Read this: @notes/extra.md\n",
	".claude/settings.json": JSON.stringify({ permissions: { deny: ["Bash(rm *)", "Read(.env)"] } }),
	"notes/extra.md": "extra words",
	"src/a.ts": "one\ntwo\nthree\nfour\n",
	".env": "SECRET=1\n",
};

async function open(more: Partial<SupervisorOptions> = {}, files: Readonly<Record<string, string>> = {}) {
	const cwd = await temporaryFolder();
	const opened = await openTrusted(cwd, { ...FILES, ...files }, [say("answered")], more);
	const lead = await opened.supervisor.startLead();
	const textOf = async (typed: string) => {
		const expanded = await lead.expand(typed);
		return expanded.kind === "prompt" ? expanded.text : expanded;
	};
	return { ...opened, cwd, lead, textOf };
}

describe("What a person types after a slash", () => {
	it("becomes the prompt of the command or skill, by its full name or its last part", async () => {
		const { textOf, server } = await open();
		expect(await textOf("/review main.ts now")).toBe("Review main.ts with care.");
		expect(await textOf("/greet Bob")).toContain("Say hello to Bob.");
		expect(await textOf("/sub:deep")).toBe("Go deep.");
		expect(await textOf("/deep")).toBe("Go deep.");
		expect(server.requests).toEqual([]);
	});

	it("is refused where no command has the name, and is a prompt where it is about a path", async () => {
		const { textOf } = await open();
		expect(await textOf("/nosuch 1")).toEqual({ kind: "unknown-command", name: "nosuch" });
		expect(await textOf("/etc/hosts is wrong")).toBe("/etc/hosts is wrong");
		expect(await textOf("/tmp is full")).toBe("/tmp is full");
	});

	it("runs the command's own commands under its allowed-tools, and puts their output in", async () => {
		const { textOf, supervisor } = await open();
		expect(await textOf("/made hello")).toMatchObject({ kind: "refused" });
		await supervisor.permissions.addRule("allow", "Edit(said)");
		expect(await textOf("/made hello")).toBe("Said: hello\nDone.");
	});

	it("asks for nothing when one of them may not run, and names it", async () => {
		const { textOf, supervisor } = await open();
		expect(await textOf("/undone")).toEqual({
			kind: "refused",
			message: expect.stringMatching(/^\/undone cannot run `touch made`: Permission denied: .*there is nobody to ask/),
		});
		expect(await textOf("/banned")).toEqual({
			kind: "refused",
			message: expect.stringMatching(/^\/banned cannot run `rm -r src`: .*denied by the rule Bash\(rm \*\)/),
		});
		expect(supervisor.denials()).toMatchObject([{ tool_name: "bash" }, { tool_name: "bash" }]);
	});

	it("asks the person about them, who may allow it", async () => {
		const asked: unknown[] = [];
		const { textOf } = await open({
			permissions: {
				onRequest: async ({ input }) => {
					asked.push(input);
					return "once";
				},
			},
		});
		expect(await textOf("/undone")).toBe("Before (no output) after.");
		expect(asked).toEqual([{ command: "touch made" }]);
	});

	it("takes no command out of what was typed behind it", async () => {
		const { textOf } = await open();
		expect(await textOf("/greet !`touch made`")).toContain("Say hello to !`touch made`.");
	});

	it("does not let an agent type run more than its tool list says", async () => {
		const { supervisor } = await open({
			agents: [{ name: "lister", description: "lists", prompt: "List.", tools: ["Bash(ls *)"] }],
		});
		const lead = await supervisor.startLead({ name: "other", agentType: "lister" }).catch((thrown: Error) => thrown);
		expect(lead).not.toBeInstanceOf(Error);
		const expanded = "expand" in lead ? await lead.expand("/undone") : undefined;
		expect(expanded).toMatchObject({ kind: "refused", message: expect.stringContaining("may not make this call") });
	});

	it("stops a command that runs when the person interrupts", async () => {
		const { lead } = await open(
			{},
			{ ".claude/commands/slow.md": "---\nallowed-tools: Bash(sleep *)\n---\n!`sleep 600`\n" },
		);
		const expanding = lead.expand("/slow").catch((thrown: { code?: string }) => thrown.code);
		await until(() => lead.busy);
		// What is typed meanwhile does not wait for it.
		expect(await lead.expand("/deep")).toMatchObject({ kind: "prompt", text: "Go deep." });
		lead.interrupt();
		expect(await expanding).toBe("ERR_ABORTED");
		expect(lead.busy).toBe(false);
	});
});

describe("A file that a prompt names with @", () => {
	it("is added, whole or some lines of it; what is no file stays as it is", async () => {
		const { textOf } = await open();
		expect(await textOf("Compare @src/a.ts#L2-3, please, with @nothing and @types/node. Thanks @src")).toBe(
			'Compare @src/a.ts#L2-3, please, with @nothing and @types/node. Thanks @src\n\n<file path="src/a.ts" lines="2-3">\ntwo\nthree\n... (1 more lines)\n</file>',
		);
		expect(await textOf("/with-file")).toBe(
			'Read this: @notes/extra.md\n\n<file path="notes/extra.md">\nextra words\n</file>',
		);
	});

	it("is left out where a rule denies it or it lies outside, and that is told", async () => {
		const { lead } = await open();
		const outside = join(await temporaryFolder(), "outside.txt");
		await writeFile(outside, "far away");
		const expanded = await lead.expand(`What is in @.env and @${outside}?`);
		expect(expanded).toEqual({
			kind: "prompt",
			text: `What is in @.env and @${outside}?`,
			notes: [
				expect.stringMatching(
					/^@\.env is not added: Permission denied: read_file of \.env is denied by the rule Read\(\.env\)/,
				),
				`@${outside}? is not added: path escapes workspace: ${outside}`,
			],
		});
	});

	it("is not looked for in what a command printed", async () => {
		const { textOf, cwd } = await open(
			{},
			{ ".claude/commands/log.md": "---\nallowed-tools: Bash(echo *)\n---\nLog: !`echo by @notes/extra.md`" },
		);
		await mkdir(join(cwd, "x"));
		expect(await textOf("/log")).toBe("Log: by @notes/extra.md");
	});
});
