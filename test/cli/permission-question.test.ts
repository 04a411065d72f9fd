import fc from "fast-check";
import pc from "picocolors";
import stringWidth from "string-width";
import { describe, expect, it, vi } from "vitest";
import { createPersonAsker } from "../../src/cli/repl/ask-person.ts";
import { describeCall } from "../../src/cli/repl/call-details.ts";
import { excerptOf, wholeOf } from "../../src/cli/terminal/excerpt.ts";
import { visibleLines } from "../../src/cli/terminal/visible-text.ts";
import type { PermissionPrompt } from "../../src/permissions/prompt.ts";

const linesOf = (toolName: string, input: unknown) => describeCall({ toolName, input }).map(({ text }) => text);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const plain = (texts: readonly string[]) => texts.map((text) => ({ text, tone: "plain" as const }));

describe("visibleLines", () => {
	it("keeps blanks as they are and writes out what a terminal would act on or hide", () => {
		expect(visibleLines("a   b\n\tc\u001b[2J\r\u0007")).toEqual(["a   b", "    c␛[2J␍␇"]);
		expect(visibleLines("ab\tc")).toEqual(["ab  c"]);
		expect(visibleLines("x\u202ey\u200bz\u00a0!\u009b\u{e0041}")).toEqual([
			"x‹U+202E›y‹U+200B›z‹U+00A0›!‹U+009B›‹U+E0041›",
		]);
		expect(visibleLines("a\u2800b\u{1d159}c\u3164")).toEqual(["a‹U+2800›b‹U+1D159›c‹U+3164›"]);
		expect(visibleLines("räksmörgås 猫 🐱")).toEqual(["räksmörgås 猫 🐱"]);
	});

	it("lets no control character through, whatever the text is", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				for (const line of visibleLines(text)) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
			}),
		);
	});
});

describe("describeCall", () => {
	it("shows a command as its lines, and what else is in the call below it", () => {
		expect(
			linesOf("bash", { command: "cat > x <<EOF\n  a   b\nEOF\ntouch EVIL", timeout_ms: 5, description: "hi" }),
		).toEqual(["cat > x <<EOF", "  a   b", "EOF", "touch EVIL", "timeout_ms: 5", "description: hi"]);
	});

	it("shows a written file as its path and its lines, and an edit as what goes and what comes", () => {
		expect(describeCall({ toolName: "write_file", input: { path: "a.txt", content: "one\n  two\n" } })).toEqual([
			{ text: "a.txt", tone: "plain" },
			{ text: "+ one", tone: "added" },
			{ text: "+   two", tone: "added" },
		]);
		expect(
			describeCall({
				toolName: "edit_file",
				input: { path: "a.txt", old_text: "one\n", new_text: "uno\ndos\n", replace_all: true },
			}),
		).toEqual([
			{ text: "a.txt", tone: "plain" },
			{ text: "- one", tone: "removed" },
			{ text: "+ uno", tone: "added" },
			{ text: "+ dos", tone: "added" },
			{ text: "replace_all: true", tone: "plain" },
		]);
		expect(linesOf("edit_file", { path: "a", old_text: "x", new_text: "x\n" })).toEqual(["a", "- x", "+ x", "+ "]);
		expect(linesOf("write_file", { path: "a", content: "" })).toEqual(["a", "(nothing: the file will be empty)"]);
	});

	it("shows any other call field by field, and odd input as it is", () => {
		expect(linesOf("web_fetch", { url: "http://x", prompt: "look\nhere", list: [1] })).toEqual([
			"url: http://x",
			"prompt:",
			"  look",
			"  here",
			"list:",
			"  [",
			"    1",
			"  ]",
		]);
		expect(linesOf("bash", { command: 7 })).toEqual(["command: 7"]);
		expect(linesOf("bash", "rm -rf x")).toEqual(["input: rm -rf x"]);
		expect(linesOf("mcp__x__y", { "a\nb": "\u001b[1m" })).toEqual(["a␊b: ␛[1m"]);
	});

	it("shows what JSON cannot hold as well", () => {
		const cyclic: Record<string, unknown> = { name: "x" };
		cyclic.self = cyclic;
		const lines = linesOf("deploy", {
			big: 12n,
			map: new Map([["env", "prod"]]),
			cyclic,
			none: undefined,
			most: Infinity,
		});
		expect(lines).toEqual([
			"big: 12n",
			"map: Map(1) { 'env' => 'prod' }",
			"cyclic: <ref *1> { name: 'x', self: [Circular *1] }",
			"none: undefined",
			"most: Infinity",
		]);
		expect(linesOf("deploy", new Map([["env", "prod"]]))).toEqual(["input: Map(1) { 'env' => 'prod' }"]);
		expect(linesOf("deploy", new Set(["a"]))).toEqual(["input: Set(1) { 'a' }"]);
	});
});

vi.mock("string-width", async (original) => ({
	default: vi.fn((await original<typeof import("string-width")>()).default),
}));

describe("excerptOf", () => {
	it.each([
		["one line", (texts: string[]) => [texts.join("")], 1],
		["many lines", (texts: string[]) => texts, 35],
	])("measures of a megabyte of wide characters what can be shown: %s", (_name, make, leftOut) => {
		const block = Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
		vi.mocked(stringWidth).mockClear();
		const excerpt = excerptOf(plain(make(Array<string>(35).fill(block))), 45, 4);
		expect(excerpt.leftOut).toBe(leftOut);
		expect(excerpt.rows.map(({ text }) => text)).toEqual([
			`  │ ${block.slice(0, 20)}`,
			`  ┊ ${block.slice(20, 40)}`,
			`  ⋮ ${leftOut} ${leftOut === 1 ? "line is" : "lines are"} not shown here`,
			expect.stringMatching(/^ {2}┊ [\u4e00-\u9fff]{1,20}$/),
		]);
		expect(vi.mocked(stringWidth).mock.calls.length).toBeLessThan(1_000);
	});

	it("ends a row of marks that take no room", () => {
		const marks = "\u0301".repeat(1_000);
		expect(wholeOf(plain([marks]), 45).map(({ text }) => text.length)).toEqual([164, 164, 164, 164, 164, 164, 44]);
	});

	it("leaves out what a plain count of all rows leaves out", () => {
		const line = fc.string({ unit: fc.constantFrom("a", "猫", "\u0301", "🐱"), maxLength: 200 });
		fc.assert(
			fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 3, max: 12 }), (texts, maxRows) => {
				const perLine = plain(texts).map((each) => wholeOf([each], 30));
				const rows = perLine.flat();
				const owners = perLine.flatMap((ofLine, index) => ofLine.map(() => index));
				const excerpt = excerptOf(plain(texts), 30, maxRows);
				if (rows.length <= maxRows) {
					expect(excerpt).toEqual({ rows, leftOut: 0 });
					return;
				}
				const head = Math.ceil((maxRows - 1) / 2);
				const left = owners.slice(head, rows.length - Math.floor((maxRows - 1) / 2));
				expect(excerpt.leftOut).toBe(new Set(left).size);
				expect(excerpt.rows).toHaveLength(maxRows);
				expect(excerpt.rows.slice(0, head)).toEqual(rows.slice(0, head));
			}),
		);
	});

	it("shows head and tail of what does not fit, and says how many lines are left out", () => {
		expect(excerptOf(plain(numbered(60)), 80, 7)).toEqual({
			rows: plain([
				"  │ line 1",
				"  │ line 2",
				"  │ line 3",
				"  ⋮ 54 lines are not shown here",
				"  │ line 58",
				"  │ line 59",
				"  │ line 60",
			]),
			leftOut: 54,
		});
		expect(excerptOf(plain(numbered(3)), 80, 3)).toEqual({
			rows: plain(["  │ line 1", "  │ line 2", "  │ line 3"]),
			leftOut: 0,
		});
	});

	it("breaks a long line without losing a blank, and marks what is no line of its own", () => {
		expect(wholeOf(plain([`${"x".repeat(14)}   end   猫`]), 25)).toEqual(
			plain(["  │ xxxxxxxxxxxxxx   end", "  ┊    猫"]),
		);
	});

	it("loses no character of a text, however narrow the terminal is", () => {
		fc.assert(
			fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), (text, columns) => {
				const lines = visibleLines(text);
				const shown = wholeOf(plain(lines), columns);
				expect(shown.map((row) => row.text.slice(4)).join("")).toBe(lines.join(""));
			}),
		);
	});
});

describe("A permission question", () => {
	const prompt = (command: string, suggestions: readonly string[] = ["Bash(x)"]): PermissionPrompt => ({
		requestId: "r",
		agent: { runId: "l", name: "lead", type: "general" },
		toolUseId: "t",
		toolName: "bash",
		input: { command },
		cwd: process.cwd(),
		message: "",
		suggestions,
		askedAt: 0,
	});

	function person(answers: string[]) {
		const queries: string[] = [];
		let printed = "";
		const region = {
			...{ columns: 80, rows: 24, update: () => {}, clear: () => {} },
			print: (text: string) => {
				printed += text;
			},
		};
		const ask = async (query: string, signal?: AbortSignal) => {
			queries.push(query);
			const answer = answers.shift();
			if (answer !== undefined) return answer;
			return new Promise<string>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
		};
		return { asker: createPersonAsker({ ask }, region, pc.createColors(false)), queries, printed: () => printed };
	}
	const never = new AbortController().signal;

	it("shows the end of a long command at once, and all of it before the decision", async () => {
		const { asker, queries, printed } = person(["v", "y"]);
		const command = ["cat > x <<EOF", ...numbered(60), "EOF", "touch EVIL"].join("\n");
		const answer = asker.permission(prompt(command), never);
		expect(await answer).toBe("once");
		const [first = "", whole = ""] = printed().split("lead (general) wants to run bash\n").slice(1);
		expect(first).toContain("  ⋮ 54 lines are not shown here\n");
		expect(first).toContain("  │ touch EVIL\n");
		expect(first).not.toContain("line 30");
		for (const line of numbered(60)) expect(whole).toContain(`  │ ${line}\n`);
		expect(queries[0]).toBe("  Allow it? [y]es, for this [c]onversation, [a]lways, [n]o, [v]iew all: ");
	});

	it("offers nothing to view where all is there, and no lasting answer where no rule can cover the call", async () => {
		const { asker, queries } = person(["n"]);
		expect(await asker.permission(prompt("ls", []), never)).toEqual({ deny: true, message: "The user said no" });
		expect(queries).toEqual(["  Allow it? [y]es, [n]o: "]);
	});

	it("takes nothing for an answer that is none", async () => {
		const { asker, queries } = person(["", "fix the bug", "c"]);
		expect(await asker.permission(prompt("ls"), never)).toBe("conversation");
		expect(queries).toHaveLength(3);
	});

	it("shows every rule that a lasting answer would make, on lines of its own", async () => {
		const { asker, printed } = person(["a"]);
		expect(await asker.permission(prompt("a\nb", ["Bash(a)", "Bash(b\u001b[2J)"]), never)).toBe("always");
		expect(printed()).toContain("  A lasting answer makes the rules:\n  │ Bash(a)\n  │ Bash(b␛[2J)\n");
	});

	it("writes out hidden characters in its title, too, and in what an agent asks", async () => {
		const { asker, printed } = person(["n", "1"]);
		const agent = { runId: "l", name: "le\u202ead\u200b", type: "general" };
		await asker.permission({ ...prompt("ls"), agent, toolName: "ba\u2800sh\u001b[2J" }, never);
		expect(printed()).toContain("le‹U+202E›ad‹U+200B› (general) wants to run ba‹U+2800›sh␛[2J\n");
		await asker.question({ question: "Which\u202e?\nNow", options: ["a\u200bb"], agent }, never);
		expect(printed()).toContain("le‹U+202E›ad‹U+200B› asks: Which‹U+202E›?\nNow\n  1. a‹U+200B›b\n");
	});

	it("is answered with no by Escape, and by nothing else that is open", async () => {
		const { asker } = person([]);
		expect(asker.refuse()).toBe(false);
		const answer = asker.permission(prompt("ls"), never);
		await new Promise(setImmediate);
		expect(asker.isAsking).toBe(true);
		expect(asker.refuse()).toBe(true);
		expect(await answer).toEqual({ deny: true, message: "The user said no" });
		expect([asker.isAsking, asker.refuse()]).toEqual([false, false]);
	});
});
