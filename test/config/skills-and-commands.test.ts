// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files read here hold such placeholders.

import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../../src/config/commands.ts";
import { expandArguments, expandTemplate, splitWords } from "../../src/config/expand-arguments.ts";
import { formatFault } from "../../src/config/fault.ts";
import { findMentions } from "../../src/config/mentions.ts";
import type { ProjectFiles } from "../../src/config/project-folders.ts";
import { formatSkillCatalog, loadSkills, renderSkill } from "../../src/config/skills.ts";
import { makeTree } from "./make-tree.ts";

async function setup(files: Record<string, string>, projectFiles: ProjectFiles = "trusted") {
	const root = await makeTree({ "home/": "", "repo/.git/": "", ...files });
	return { root, options: { cwd: join(root, "repo"), homeDir: join(root, "home"), projectFiles } };
}

describe("loadSkills", () => {
	it("reads the fields of a skill", async () => {
		const { root, options } = await setup({
			"repo/.claude/skills/pdf/SKILL.md":
				"---\nname: pdf-tools\ndescription: Use for: PDF files\nallowed-tools: Read Bash(pdftotext *)\nmodel: haiku\ndisable-model-invocation: true\nuser-invocable: false\nargument-hint: [file] [page]\n---\nRead it.",
		});
		expect(await loadSkills(options)).toEqual({
			skills: [
				{
					name: "pdf-tools",
					description: "Use for: PDF files",
					body: "Read it.",
					folder: join(root, "repo/.claude/skills/pdf"),
					path: join(root, "repo/.claude/skills/pdf/SKILL.md"),
					source: "project",
					allowedTools: ["Read", "Bash(pdftotext *)"],
					model: "haiku",
					argumentHint: "[file] [page]",
					modelInvocable: false,
					userInvocable: false,
				},
			],
			faults: [],
		});
	});

	it("lets the nearest win and falls back to folder name and first paragraph", async () => {
		const { options } = await setup({
			"home/.claude/skills/a/SKILL.md": "home",
			"repo/.claude/skills/a/SKILL.md": "claude",
			"repo/.clowder/skills/a/SKILL.md": "# Title\n\nDoes a\nthing.\n\nMore.",
			"home/.clowder/skills/b/SKILL.md": "---\ndescription: b\n---\n",
			"home/.clowder/skills/empty/": "",
		});
		const { skills, faults } = await loadSkills(options);
		expect(skills.map(({ name, description, source }) => [name, description, source])).toEqual([
			["a", "Does a thing.", "project"],
			["b", "b", "user"],
		]);
		expect(faults).toEqual([]);
	});

	it("reports skills that cannot be used", async () => {
		const { root, options } = await setup({
			"repo/.claude/skills/a/SKILL.md": "---\nname: a\n---\n",
			"repo/.claude/skills/b/SKILL.md": "---\nwords\n---\n",
		});
		const { skills, faults } = await loadSkills(options);
		expect(skills).toEqual([]);
		expect(faults.map((fault) => formatFault(fault).replace(`${root}/`, ""))).toEqual([
			"repo/.claude/skills/a/SKILL.md: refused: it has neither a description nor any text",
			"repo/.claude/skills/b/SKILL.md:2: refused: the front matter holds no `field: value` lines",
		]);
	});

	it("gives the skills of an untrusted project no tools of their own", async () => {
		const { options } = await setup(
			{ "repo/.claude/skills/a/SKILL.md": "---\ndescription: d\nallowed-tools: Bash\n---\n" },
			"untrusted",
		);
		expect((await loadSkills(options)).skills.map(({ allowedTools }) => allowedTools)).toEqual([[]]);
	});

	it("makes a catalog of what the model may load, and renders one with its folder", async () => {
		const { root, options } = await setup({
			"repo/.claude/skills/a/SKILL.md": "---\ndescription: |\n  Two\n  lines\n---\nRun ${CLAUDE_SKILL_DIR}/x.sh on $1.",
			"repo/.claude/skills/b/SKILL.md": "---\ndescription: hidden\ndisable-model-invocation: true\n---\nx",
		});
		const { skills } = await loadSkills(options);
		expect(formatSkillCatalog(skills)).toBe("- a: Two lines");
		const [first] = skills;
		const folder = join(root, "repo/.claude/skills/a");
		expect(first && renderSkill(first, "file.txt")).toBe(
			`Base directory for this skill: ${folder}\n\nRun ${folder}/x.sh on file.txt.`,
		);
	});
});

describe("loadCommands", () => {
	it("reads commands, with folders in their names, and lets the nearest win", async () => {
		const { options } = await setup({
			"repo/.claude/commands/fix.md": "Fix $ARGUMENTS now.",
			"repo/.claude/commands/git/commit.md":
				"---\ndescription: Commits: all\nargument-hint: [message]\nallowed-tools: Bash(git *)\nmodel: haiku\n---\nCommit.",
			"home/.claude/commands/fix.md": "other",
			"home/.clowder/commands/mine.md": "# Mine\n\nDo it.",
		});
		const { commands, faults, withheld } = await loadCommands(options);
		expect(commands.map(({ name, description, template, source }) => [name, description, template, source])).toEqual([
			["fix", "Fix $ARGUMENTS now.", "Fix $ARGUMENTS now.", "project"],
			["git:commit", "Commits: all", "Commit.", "project"],
			["mine", "Do it.", "# Mine\n\nDo it.", "user"],
		]);
		expect(commands[1]).toMatchObject({ argumentHint: "[message]", allowedTools: ["Bash(git *)"], model: "haiku" });
		expect([faults, withheld]).toEqual([[], []]);
	});

	it("leaves the commands of an untrusted project out and says how many", async () => {
		const { root, options } = await setup(
			{ "repo/.claude/commands/fix.md": "x", "home/.claude/commands/mine.md": "y" },
			"untrusted",
		);
		const { commands, withheld } = await loadCommands(options);
		expect(commands.map(({ name }) => name)).toEqual(["mine"]);
		expect(withheld).toEqual([`1 command in ${join(root, "repo/.claude/commands")}\n  fix.md`]);
	});

	it("reports commands that cannot be used", async () => {
		const { root, options } = await setup({
			"repo/.claude/commands/empty.md": "---\ndescription: d\n---\n",
			"repo/.claude/commands/two words.md": "x",
		});
		const { commands, faults } = await loadCommands(options);
		expect(commands).toEqual([]);
		expect(faults.map((fault) => formatFault(fault).replace(`${root}/repo/.claude/commands/`, ""))).toEqual([
			"empty.md: refused: it has no text",
			"two words.md: refused: a command's file and folders may have no blank in their names",
		]);
	});
});

describe("expandArguments", () => {
	it.each([
		["Fix $ARGUMENTS now", "a b", "Fix a b now"],
		["$1 then $2 then $3", 'one "two words"', "one then two words then "],
		["No place", "a b", "No place\n\nARGUMENTS: a b"],
		["No place", "  ", "No place"],
		["$ARGUMENTS", "", ""],
		["$ARGUMENTS and $1", "$1 $ARGUMENTS $&", "$1 $ARGUMENTS $& and $1"],
		["It costs $100 and $ARGUMENTS_X", "a", "It costs $100 and $ARGUMENTS_X\n\nARGUMENTS: a"],
		["$0 is no place", "a", "$0 is no place\n\nARGUMENTS: a"],
	])("makes of %j and %j the text %j", (template, typed, expected) => {
		expect(expandArguments(template, typed)).toBe(expected);
	});

	it.each([
		["a  b\tc", ["a", "b", "c"]],
		[`'a b' "c 'd'" e\\ f`, ["a b", "c 'd'", "e f"]],
		[`a"b c"d ""`, ["ab cd", ""]],
		[`"say \\"hi\\""`, ['say "hi"']],
		[`it's open`, ["it's", "open"]],
		["", []],
	])("splits %j into words", (text, words) => {
		expect(splitWords(text)).toEqual(words);
	});

	it("never loses or invents a plain word", () => {
		const word = fc.string({ unit: fc.constantFrom("a", "ä", "-", "$", "=", "."), minLength: 1 });
		fc.assert(
			fc.property(fc.array(word), (words) => {
				expect(splitWords(words.join(" "))).toEqual(words);
			}),
		);
	});
});

describe("expandTemplate", () => {
	const text = (value: string) => ({ kind: "text", text: value });
	const command = (value: string) => ({ kind: "command", text: value });

	it.each([
		["See !`git status --short` now", "", [text("See "), command("git status --short"), text(" now")]],
		["!`a`\n!`b`", "", [command("a"), text("\n"), command("b")]],
		["Run:\n```!\ngit log\ngit diff\n```\nDone", "", [text("Run:\n"), command("git log\ngit diff"), text("\nDone")]],
		["Wow!`no` and `!x` and !`` ", "", [text("Wow!`no` and `!x` and !`` ")]],
		["!`gh issue view $1`", "12", [command("gh issue view 12")]],
		["!`date`", "12", [command("date"), text("\n\nARGUMENTS: 12")]],
		["Do $ARGUMENTS", "!`rm x`", [text("Do !`rm x`")]],
	])("takes %j with %j apart", (template, typed, parts) => {
		expect(expandTemplate(template, typed)).toEqual(parts);
	});
});

describe("findMentions", () => {
	it.each([
		["Look at @src/a.ts.", [["src/a.ts.", "src/a.ts"]]],
		["@a.ts#L10-20 @b.ts#L7", [[["a.ts", 10, 11]], [["b.ts", 7, 1]]]],
		["me@example.com and `@code` and @~/x", [["/home/ada/x"]]],
		["@a.ts#L9-3", [["a.ts#L9-3"]]],
	])("finds in %j the files %j", (prompt, files) => {
		const shown = findMentions(prompt, "/home/ada").map(({ candidates }) =>
			candidates.map(({ path, lines }) => (lines === undefined ? path : [path, lines.offset, lines.limit])),
		);
		expect(shown).toEqual(files);
	});
});
