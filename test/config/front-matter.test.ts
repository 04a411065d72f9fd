import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_FIELDS, readAgentFields } from "../../src/config/agent-fields.ts";
import { readFrontMatter } from "../../src/config/front-matter.ts";

// What an agent file comes to: its fields, or the reasons it is refused with their lines.
function read(text: string): unknown {
	const matter = readFrontMatter(text, AGENT_FIELDS);
	if (matter.kind === "absent") return "absent";
	if (matter.kind === "bad") return `${matter.line}: ${matter.reason}`;
	const { agent, faults } = readAgentFields(matter.fields, matter.body, "a.md", { kind: "user", path: "a.md" });
	if (!agent) return faults.map((fault) => `${fault.line}: ${fault.reason}`).join("; ");
	const { source: _source, prompt, ...rest } = agent;
	return { ...rest, ...(prompt === "Body." ? {} : { prompt }) };
}

const file = (header: string, body = "Body.") => `---\n${header}\n---\n\n${body}\n`;
const named = (rest: string) => file(`name: a\n${rest}`);

describe("front matter that YAML reads", () => {
	const cases: [string, string, unknown][] = [
		["plain fields", named("description: Does things"), { name: "a", description: "Does things" }],
		["a double-quoted description", named('description: "When: needed"'), { name: "a", description: "When: needed" }],
		["a single-quoted description", named("description: 'It''s: fine'"), { name: "a", description: "It's: fine" }],
		["a literal block", named("description: |\n  one\n  two: 2"), { name: "a", description: "one\ntwo: 2" }],
		["a folded block", named("description: >-\n  one\n  two"), { name: "a", description: "one two" }],
		["escaped line breaks", named('description: "one\\ntwo"'), { name: "a", description: "one\ntwo" }],
		["the two characters \\n in plain text", named("description: one\\ntwo"), { name: "a", description: "one\ntwo" }],
		["a continued plain text", named("description: one\n  two"), { name: "a", description: "one two" }],
		[
			"tools with commas",
			named("description: d\ntools: Read, Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"tools as a list",
			named("description: d\ntools: [Read, Write]"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"tools as indented items",
			named("description: d\ntools:\n  - Read\n  - Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"tools as items without indent",
			named("description: d\ntools:\n- Read\n- Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"items that hold commas",
			named("description: d\ntools:\n  - Read, Write\n  - Bash(git add, git rm)"),
			{ name: "a", description: "d", tools: ["Read", "Write", "Bash(git add, git rm)"] },
		],
		[
			"tools with blanks between them",
			named("description: d\ntools: Read Write Bash(git *)"),
			{ name: "a", description: "d", tools: ["Read", "Write", "Bash(git *)"] },
		],
		[
			"a comma at the end of the tools",
			named("description: d\ntools: Read, Write,"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		["no tools at all", named("description: d\ntools: []"), { name: "a", description: "d", tools: [] }],
		["an empty tools field as all tools", named("description: d\ntools:"), { name: "a", description: "d" }],
		["a quoted star as all tools", named("description: d\ntools: '*'"), { name: "a", description: "d" }],
		["a number as a name", file("name: 007\ndescription: d"), { name: "7", description: "d" }],
		["comments", named("# who\ndescription: d # what"), { name: "a", description: "d" }],
		[
			"unknown fields",
			named("description: d\nversion: 2\nauthor: {team: x}"),
			{ name: "a", description: "d", extra: { version: 2, author: { team: "x" } } },
		],
		["turns", named("description: d\nmaxTurns: 12"), { name: "a", description: "d", limits: { turns: 12 } }],
		["turns as text", named("description: d\nmaxTurns: '12'"), { name: "a", description: "d", limits: { turns: 12 } }],
		["a background flag", named("description: d\nbackground: true"), { name: "a", description: "d", background: true }],
		[
			"MCP servers as a list",
			named("description: d\nmcpServers: [github, {own: {command: x}}]"),
			{ name: "a", description: "d", mcpServers: ["github", { own: { command: "x" } }] },
		],
		[
			"MCP servers as a map",
			named("description: d\nmcpServers:\n  own:\n    command: x"),
			{ name: "a", description: "d", mcpServers: [{ own: { command: "x" } }] },
		],
		[
			"an anchor and its alias",
			named("description: &d text\ncolor: *d"),
			{ name: "a", description: "text", color: "text" },
		],
		[
			"a file that ends with its fence",
			"---\nname: a\ndescription: d\n---",
			{ name: "a", description: "d", prompt: "" },
		],
		[
			"a rule in the body",
			file("name: a\ndescription: d", "One.\n\n---\n\nTwo."),
			{ name: "a", description: "d", prompt: "One.\n\n---\n\nTwo." },
		],
		["a fence with blanks behind it", "---  \nname: a\ndescription: d\n---\t\nBody.", { name: "a", description: "d" }],
		["a fence of more dashes", "---\nname: a\ndescription: d\n-----\nBody.", { name: "a", description: "d" }],
		["blank lines above the fence", "\n\n---\nname: a\ndescription: d\n---\nBody.", { name: "a", description: "d" }],
		["a byte order mark", "\uFEFF---\nname: a\ndescription: d\n---\nBody.", { name: "a", description: "d" }],
		["Windows line ends", "---\r\nname: a\r\ndescription: d\r\n---\r\nBody.\r\n", { name: "a", description: "d" }],
		["old Mac line ends", "---\rname: a\rdescription: d\r---\rBody.\r", { name: "a", description: "d" }],
		[
			"every small field",
			named(
				"description: d\nmodel: opus\npermissionMode: plan\neffort: high\nisolation: worktree\ncolor: red\ninitialPrompt: go\nmemory: project\nskills: x, y",
			),
			{
				name: "a",
				description: "d",
				model: "opus",
				permissionMode: "plan",
				effort: "high",
				isolation: "worktree",
				color: "red",
				initialPrompt: "go",
				memory: "project",
				skills: ["x", "y"],
			},
		],
	];
	it.each(cases)("reads %s", (_, text, expected) => {
		expect(read(text)).toEqual(expected);
	});
});

describe("front matter that YAML refuses", () => {
	const cases: [string, string, unknown][] = [
		["an unquoted colon", named("description: Use it when: always"), { name: "a", description: "Use it when: always" }],
		[
			"a colon at the end of a line",
			named("description: Examples:\ntools: Read"),
			{ name: "a", description: "Examples:", tools: ["Read"] },
		],
		[
			"several colons and quotes",
			named(`description: Say "a: b" or 'c: d'. Triggers on: x`),
			{ name: "a", description: `Say "a: b" or 'c: d'. Triggers on: x` },
		],
		["quotes inside quotes", named('description: "Say "hi" now"'), { name: "a", description: 'Say "hi" now' }],
		["a quotation at the start", named('description: "Fast" is: good'), { name: "a", description: '"Fast" is: good' }],
		[
			"a quote that is never closed",
			named('description: "Use it: now\ntools: Read'),
			{ name: "a", description: '"Use it: now', tools: ["Read"] },
		],
		[
			"an example on one line",
			named('description: Go. <example>user: "a" assistant: "b"</example>\nmodel: haiku'),
			{ name: "a", description: 'Go. <example>user: "a" assistant: "b"</example>', model: "haiku" },
		],
		[
			"an example over several lines",
			named(
				'description: Go: now.\n\n<example>\nContext: a test\nuser: "do: it"\ntools: none\n</example>\ntools: Read',
			),
			{
				name: "a",
				description: 'Go: now.\n\n<example>\nContext: a test\nuser: "do: it"\ntools: none\n</example>',
				tools: ["Read"],
			},
		],
		[
			"two examples with a comment inside",
			named(
				"description: Go: x\n<example>\nuser: a\n<commentary>\nmodel: none\n</commentary>\n</example>\n<example>\nname: b\n</example>\nmodel: opus",
			),
			{
				name: "a",
				description:
					"Go: x\n<example>\nuser: a\n<commentary>\nmodel: none\n</commentary>\n</example>\n<example>\nname: b\n</example>",
				model: "opus",
			},
		],
		[
			"an example that is never closed",
			named("description: Go: x\n<example>\nuser: a\ntools: Read"),
			{ name: "a", description: "Go: x\n<example>\nuser: a", tools: ["Read"] },
		],
		[
			"a dialogue without tags",
			named("description: Go: x\nuser: hello\nassistant: hi\nmodel: opus"),
			{ name: "a", description: "Go: x\nuser: hello\nassistant: hi", model: "opus" },
		],
		[
			"prose on lines of its own",
			named("description: Go: x\nMore prose here.\nNote: careful\nmodel: opus"),
			{ name: "a", description: "Go: x\nMore prose here.\nNote: careful", model: "opus" },
		],
		[
			"a tab before an item",
			named("description: d\ntools:\n\t- Read\n\t- Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		["tabs in a block", named("description: |\n\tone: 1\n\ttwo: 2"), { name: "a", description: "one: 1\ntwo: 2" }],
		[
			"a block without indent",
			named("description: |\nSome prose\ntools: Read"),
			{ name: "a", description: "Some prose", tools: ["Read"] },
		],
		["a bare star as all tools", named("description: d\ntools: *"), { name: "a", description: "d" }],
		[
			"a list that is never closed",
			named("description: d\ntools: [Read, Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"quoted names with commas",
			named('description: d\ntools: "Read", "Write"'),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		[
			"bullets of stars",
			named("description: d\ntools:\n* Read\n* Write"),
			{ name: "a", description: "d", tools: ["Read", "Write"] },
		],
		["a field given twice", file("name: b\nname: a\ndescription: d"), { name: "a", description: "d" }],
		["no blank after the colons", file("name:a\ndescription:Does: x"), { name: "a", description: "Does: x" }],
		["an at sign at the start", named("description: @team does it"), { name: "a", description: "@team does it" }],
		[
			"a percent sign at the start",
			named("description: %d is a placeholder"),
			{ name: "a", description: "%d is a placeholder" },
		],
		["a backtick at the start", named("description: `x` is code"), { name: "a", description: "`x` is code" }],
		[
			"an unknown field beside a broken one",
			named("description: Go: x\nversion: 3"),
			{ name: "a", description: "Go: x", extra: { version: 3 } },
		],
		[
			"hooks beside a broken description",
			named("description: Go: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: 'true'"),
			{
				name: "a",
				description: "Go: x",
				hooks: { Stop: [{ matcher: "", hooks: [{ command: "true", source: "a.md" }] }] },
			},
		],
		["no closing fence", "---\nname: a\ndescription: d\n\nBody.", { name: "a", description: "d" }],
		[
			"no closing fence but a rule in the body",
			"---\nname: a\ndescription: Go: x\ntools: Read\n\n# Role\n\nYou do it.\n\n---\n\nMore.",
			{
				name: "a",
				description: "Go: x",
				tools: ["Read"],
				prompt: "# Role\n\nYou do it.\n\n---\n\nMore.",
			},
		],
		[
			"no closing fence and an unquoted colon",
			"---\nname: a\ndescription: Go: x\ntools: Read\nBody.",
			{ name: "a", description: "Go: x", tools: ["Read"] },
		],
	];
	it.each(cases)("reads %s", (_, text, expected) => {
		expect(read(text)).toEqual(expected);
	});
});

describe("front matter that is refused", () => {
	const cases: [string, string, string][] = [
		["no name", file("description: d"), "undefined: refused: it has no name"],
		["an empty name", file("name:\ndescription: d"), "2: refused: it has no name"],
		["no description", file("name: a"), "undefined: refused: it has no description"],
		["an empty description", named('description: ""'), "3: refused: it has no description"],
		["a name that starts with a dash", file("name: -x\ndescription: d"), "2: refused: the name '-x' starts with -"],
		["a name with a colon", file("name: a:b\ndescription: d"), "2: refused: the name 'a:b' holds a colon"],
		[
			"a name with a line break",
			file('name: "a\\nb"\ndescription: d'),
			"2: refused: the name holds a line break or control character",
		],
		[
			"a description that is a map",
			named("description:\n  a: b"),
			"3: refused: the description must be text; put it in quotes",
		],
		[
			"tools that are a map",
			named("description: d\ntools: {Read: true}"),
			"4: refused: tools must be a list of tool names or names with commas between them",
		],
		[
			"hooks that are no map",
			named("description: d\nhooks: [x]"),
			"4: refused: its hooks cannot be read: they must be an object",
		],
		[
			"an empty header",
			"---\n---\nBody.",
			"undefined: refused: it has no name; undefined: refused: it has no description",
		],
		["text instead of fields", "---\nJust words\n---\nBody.", "2: the front matter holds no `field: value` lines"],
		[
			"a fence and nothing else",
			"---",
			"undefined: refused: it has no name; undefined: refused: it has no description",
		],
	];
	it.each(cases)("refuses %s and says where", (_, text, expected) => {
		expect(read(text)).toBe(expected);
	});

	it("refuses a name that is bad YAML, with its line", () => {
		expect(read(file('description: d\nname: "a\ntools: Read'))).toMatch(/^3: refused: bad YAML in name: /);
	});

	it("refuses hooks that are bad YAML instead of loading an agent without its guard", () => {
		expect(read(named("description: d\nhooks:\n  Stop: [x: {"))).toMatch(/^4: refused: its hooks cannot be read: /);
	});

	it("refuses a bomb of aliases", () => {
		const bomb =
			"a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]";
		expect(read(file(bomb))).not.toHaveProperty("name");
	});

	it("refuses a header that is too long", () => {
		expect(read(named(`description: ${"x: ".repeat(100_000)}`))).toBe(
			"1: the front matter is longer than 262144 characters",
		);
	});

	it("calls a file without a fence absent", () => {
		expect(read("# Readme\n\n---\nname: a\n---\n")).toBe("absent");
		expect(read("")).toBe("absent");
	});
});

describe("readFrontMatter", () => {
	it("reports small faults and loads the rest", () => {
		const matter = readFrontMatter(
			named("description: d\nmaxTurns: -1\nmemory: disk\nmodel: [x]\nskills: {a: 1}"),
			AGENT_FIELDS,
		);
		if (matter.kind !== "read") throw new Error(matter.kind);
		const { agent, faults } = readAgentFields(matter.fields, "", "a.md", { kind: "user" });
		expect(agent?.name).toBe("a");
		expect(faults).toEqual([
			{ path: "a.md", line: 4, reason: "maxTurns must be a whole number above 0; it is ignored" },
			{ path: "a.md", line: 6, reason: "model must be text; it is ignored" },
			{ path: "a.md", line: 7, reason: "skills must be a list of names; it is ignored" },
			{ path: "a.md", line: 5, reason: "memory 'disk' is not one of user, project, local; it is ignored" },
		]);
	});

	it("does not run code in a tagged fence", () => {
		expect(readFrontMatter("---js\nprocess.exit(1)\n---\n", AGENT_FIELDS).kind).toBe("absent");
	});

	it("keeps a field called __proto__ from reaching any prototype", () => {
		read(named("description: d\n__proto__:\n  polluted: true"));
		read(named("description: Go: x\n__proto__:\n  polluted: true"));
		expect({}).not.toHaveProperty("polluted");
	});

	it("never throws, whatever the text", () => {
		const piece = fc.constantFrom(
			"---\n",
			"name: a",
			"description: ",
			"tools:",
			"\n",
			"\t",
			"- x",
			": ",
			"'",
			'"',
			"[",
			"{",
			"&a",
			"*a",
			"|",
			">",
			"<example>",
			"</example>",
			"\r",
			"#",
			"\u0000",
			"é",
		);
		fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void read(`---\n${pieces.join("")}`)));
	});

	it("reads any one-line description back, with or without quotes", () => {
		const words = fc.string({
			unit: fc.constantFrom("a", "b", " ", ":", ",", ".", "'", "(", ")", "<", "-", "#x"),
			minLength: 1,
		});
		fc.assert(
			fc.property(words, (text) => {
				const description = `Word ${text} end`.replace(/\s+/g, " ").replace(/ #/g, "#");
				expect(read(named(`description: ${description}`))).toEqual({ name: "a", description });
			}),
		);
	});
});
