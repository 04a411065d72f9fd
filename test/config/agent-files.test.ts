import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAgentFiles } from "../../src/config/agent-files.ts";
import { formatFault, reportOnce } from "../../src/config/fault.ts";
import { makeTree, writeTree } from "./make-tree.ts";

const agent = (name: string, description: string, more = "") =>
	`---\nname: ${name}\ndescription: ${description}\n${more}---\nYou are ${name}.\n`;

async function makeProject(files: Record<string, string | Uint8Array>) {
	const root = await makeTree({ "home/": "", "repo/.git/": "", "repo/src/deep/": "", ...files });
	return { root, cwd: join(root, "repo/src/deep"), homeDir: join(root, "home") };
}

describe("loadAgentFiles", () => {
	it("lets the nearest folder win, our own folder before Claude Code's, and the home folder last", async () => {
		const { cwd, homeDir, root } = await makeProject({
			"home/.claude/agents/a.md": agent("a", "home claude"),
			"home/.clowder/agents/b.md": agent("b", "home clowder"),
			"home/.claude/agents/b.md": agent("b", "home claude"),
			"repo/.claude/agents/a.md": agent("a", "root claude"),
			"repo/.claude/agents/c.md": agent("c", "root claude"),
			"repo/.clowder/agents/c.md": agent("c", "root clowder"),
			"repo/src/.claude/agents/c.md": agent("c", "src claude"),
			"repo/src/deep/.claude/agents/team/d.md": agent("d", "deep claude"),
		});
		const loaded = await loadAgentFiles({ cwd, homeDir });
		expect(loaded.faults).toEqual([]);
		expect(loaded.agents.map(({ name, description, source }) => [name, description, source.kind])).toEqual([
			["d", "deep claude", "project"],
			["c", "src claude", "project"],
			["a", "root claude", "project"],
			["b", "home clowder", "user"],
		]);
		expect(loaded.agents[0]?.prompt).toBe("You are d.");
		expect(loaded.agents[0]?.source.path).toBe(join(root, "repo/src/deep/.claude/agents/team/d.md"));
	});

	it("stops at the repository root", async () => {
		const { cwd, homeDir } = await makeProject({ ".claude/agents/x.md": agent("x", "above the repository") });
		expect((await loadAgentFiles({ cwd, homeDir })).agents).toEqual([]);
	});

	it("looks only in the working folder when there is no repository", async () => {
		const root = await makeTree({
			"home/": "",
			"a/.claude/agents/x.md": agent("x", "above"),
			"a/b/.claude/agents/y.md": agent("y", "here"),
		});
		const { agents } = await loadAgentFiles({ cwd: join(root, "a/b"), homeDir: join(root, "home") });
		expect(agents.map(({ name }) => name)).toEqual(["y"]);
	});

	it("takes the home folder for the person's own even when it is the working folder", async () => {
		const root = await makeTree({ ".claude/agents/a.md": agent("a", "mine", "permissionMode: acceptEdits\n") });
		const { agents } = await loadAgentFiles({ cwd: root, homeDir: root, projectFiles: "untrusted" });
		expect(agents.map(({ source, permissionMode }) => [source.kind, permissionMode])).toEqual([
			["user", "acceptEdits"],
		]);
	});

	it("lets --agents win over every file", async () => {
		const { cwd, homeDir } = await makeProject({ "repo/.clowder/agents/a.md": agent("a", "file") });
		const cliAgents = '{"a":{"description":"flag","prompt":"Go.","tools":["Read"],"model":"haiku"}}';
		const { agents, faults } = await loadAgentFiles({ cwd, homeDir, cliAgents });
		expect(faults).toEqual([]);
		expect(agents).toEqual([
			{ name: "a", description: "flag", prompt: "Go.", tools: ["Read"], model: "haiku", source: { kind: "flag" } },
		]);
	});

	it("reports what is wrong with --agents and loads the rest of it", async () => {
		const { cwd, homeDir } = await makeProject({});
		const load = async (cliAgents: string | Record<string, unknown>) =>
			(await loadAgentFiles({ cwd, homeDir, cliAgents })).faults.map(formatFault);
		expect(await load("{")).toEqual([expect.stringMatching(/^the option `project.agents`: it is no JSON: /)]);
		expect(await load("[]")).toEqual(["the option `project.agents`: it must be an object with one entry per agent"]);
		expect(await load({ a: 1, b: { description: "d" }, c: { prompt: "p" } })).toEqual([
			"the option `project.agents`: the agent 'a' must be an object",
			"the option `project.agents`: the agent 'b' has no prompt",
			"the option `project.agents` c: refused: it has no description",
		]);
	});

	it("names file, line and reason of every refusal and loads the others", async () => {
		const { cwd, homeDir, root } = await makeProject({
			"repo/.claude/agents/bad-name.md": agent("x:y", "d"),
			"repo/.claude/agents/binary.md": new Uint8Array([45, 45, 45, 0, 1]),
			"repo/.claude/agents/good.md": agent("good", "d"),
			"repo/.claude/agents/huge.md": `---\nname: h\ndescription: d\n---\n${"x".repeat(1_100_000)}`,
			"repo/.claude/agents/no-fence.md": "You are an agent.",
			"repo/.claude/agents/notes.txt": "not looked at",
			"repo/.claude/agents/node_modules/pkg/docs.md": "not looked at either",
			"repo/.claude/agents/README.md": "# Our agents",
		});
		await symlink(join(root, "nowhere.md"), join(root, "repo/.claude/agents/gone.md"));
		const { agents, faults } = await loadAgentFiles({ cwd, homeDir });
		expect(agents.map(({ name }) => name)).toEqual(["good"]);
		const folder = join(root, "repo/.claude/agents");
		expect(faults.map(formatFault)).toEqual([
			`${folder}/gone.md: its symbolic link leads nowhere`,
			`${folder}/bad-name.md:2: refused: the name 'x:y' holds a colon`,
			`${folder}/binary.md: refused: it is not a text file`,
			`${folder}/huge.md: refused: it has 1100031 bytes; at most 1048576 are read`,
			`${folder}/no-fence.md:1: refused: it does not start with front matter (a line ---)`,
		]);
	});

	it("reports a name that is given twice in one place and keeps the first", async () => {
		const { cwd, homeDir, root } = await makeProject({
			"repo/.claude/agents/1.md": agent("a", "first"),
			"repo/.claude/agents/2.md": agent("a", "second"),
		});
		const { agents, faults } = await loadAgentFiles({ cwd, homeDir });
		expect(agents.map(({ description }) => description)).toEqual(["first"]);
		const folder = join(root, "repo/.claude/agents");
		expect(faults.map(formatFault)).toEqual([`${folder}/2.md: ignored: ${folder}/1.md has the name 'a' already`]);
	});

	it("follows links to files and folders, and each folder once", async () => {
		const { cwd, homeDir, root } = await makeProject({
			"shared/agents/a.md": agent("a", "linked folder"),
			"shared/b.md": agent("b", "linked file"),
			"repo/.claude/": "",
		});
		await symlink(join(root, "shared/agents"), join(root, "repo/.claude/agents"));
		await symlink(join(root, "shared/agents"), join(root, "shared/agents/loop"));
		await symlink(join(root, "shared/b.md"), join(root, "shared/agents/b.md"));
		const { agents, faults } = await loadAgentFiles({ cwd, homeDir });
		expect(agents.map(({ name }) => name)).toEqual(["a", "b"]);
		expect(faults).toEqual([]);
	});

	it("takes hooks, servers and opening modes out of the agents of an untrusted project only", async () => {
		const powers =
			"permissionMode: bypassPermissions\nmcpServers: [x]\nhooks: {Stop: [{hooks: [{type: command, command: evil}]}]}\n";
		const files = {
			"repo/.claude/agents/a.md": agent("a", "d", powers),
			"repo/.claude/agents/p.md": agent("p", "d", "permissionMode: plan\n"),
			"home/.claude/agents/b.md": agent("b", "d", powers),
		};
		const { cwd, homeDir } = await makeProject(files);
		const facts = async (projectFiles: "trusted" | "untrusted" | "excluded") =>
			(await loadAgentFiles({ cwd, homeDir, projectFiles })).agents.map(
				(a) => `${a.name} ${a.permissionMode} ${a.mcpServers !== undefined} ${a.hooks !== undefined}`,
			);
		const whole = "bypassPermissions true true";
		expect(await facts("trusted")).toEqual([`a ${whole}`, "p plan false false", `b ${whole}`]);
		expect(await facts("untrusted")).toEqual(["a undefined false false", "p plan false false", `b ${whole}`]);
		expect(await facts("excluded")).toEqual([`b ${whole}`]);
	});
});

describe("reportOnce", () => {
	it("passes each fault on once, however often it comes", async () => {
		const { cwd, homeDir, root } = await makeProject({ "repo/.claude/agents/a.md": "no fence" });
		const lines: string[] = [];
		const report = reportOnce((fault) => lines.push(formatFault(fault)));
		report((await loadAgentFiles({ cwd, homeDir })).faults);
		report((await loadAgentFiles({ cwd, homeDir })).faults);
		expect(lines).toHaveLength(1);
		await writeTree(root, { "repo/.claude/agents/b.md": "no fence either" });
		report((await loadAgentFiles({ cwd, homeDir })).faults);
		expect(lines).toHaveLength(2);
	});
});
