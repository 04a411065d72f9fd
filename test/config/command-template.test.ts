import { expect, it } from "vitest";
import { templateParts } from "../../src/config/command-template.ts";

const shown = (template: string) => templateParts(template).map(({ kind, text }) => [kind, text]);

it.each([
	[
		"a !`ls` b",
		[
			["text", "a "],
			["command", "ls"],
			["text", " b"],
		],
	],
	[
		"!`ls` !` pwd `x",
		[
			["command", "ls"],
			["text", " "],
			["command", "pwd"],
			["text", "x"],
		],
	],
	["x!`ls`", [["text", "x!`ls`"]]],
	[
		"```!\nls\npwd\n```\nend",
		[
			["command", "ls\npwd"],
			["text", "\nend"],
		],
	],
	[
		"```! ls ``` \nend",
		[
			["command", "ls"],
			["text", "\nend"],
		],
	],
	["```!\n!`ls`\n```", [["command", "!`ls`"]]],
	["```!\necho ``` x\n`````", [["command", "echo ``` x\n``"]]],
	[
		"```!\nls\n``` x\n!`pwd`",
		[
			["text", "```!\nls\n``` x\n"],
			["command", "pwd"],
		],
	],
	[
		"```!```\n!`pwd`",
		[
			["text", "```!```\n"],
			["command", "pwd"],
		],
	],
	["!`", [["text", "!`"]]],
])("takes %j apart", (template, parts) => {
	expect(shown(template)).toEqual(parts);
});

it("reads a long text in which no block ends in one pass", () => {
	const template = "```! x\n".repeat(200_000);
	expect(templateParts(template)).toEqual([{ kind: "text", text: template }]);
});
