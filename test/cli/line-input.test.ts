import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLineInput } from "../../src/cli/terminal/line-input.ts";
import { createLiveRegion } from "../../src/cli/terminal/live-region.ts";
import { until } from "../support/supervisor.ts";

const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`;
const CTRL_C = "\u0003";
const ENTER = "\r";
const ESCAPE = "\u001b";

function open({ isTTY = true } = {}) {
	const modes: boolean[] = [];
	const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (mode: boolean) => void modes.push(mode) });
	const stdout = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
	let written = "";
	stdout.on("data", (chunk: Buffer) => {
		written += chunk.toString();
	});
	const input = createLineInput(stdin as unknown as NodeJS.ReadStream, stdout as unknown as NodeJS.WriteStream);
	onTestFinished(() => input.close());
	const lines: string[] = [];
	const listen = () => input.onLine((line) => void lines.push(line));
	const type = async (text: string) => {
		stdin.write(text);
		await new Promise(setImmediate);
	};
	const settle = () => new Promise(setImmediate);
	return { input, stdin, stdout, lines, listen, type, settle, modes, written: () => written };
}

describe("The input line", () => {
	it("takes a pasted text as one prompt, whatever line ends are in it", async () => {
		const { lines, listen, type } = open();
		listen();
		await type(`see ${PASTE("one\rtwo   spaced\r\n\tthree\nfour")} ok${ENTER}`);
		expect(lines).toEqual(["see one\ntwo   spaced\n\tthree\nfour ok"]);
	});

	it("puts a paste where the cursor is, and goes on from there", async () => {
		const { lines, listen, type } = open();
		listen();
		await type(`ad\u001b[D${PASTE("b\nc")}!${ENTER}`);
		expect(lines).toEqual(["ab\nc!d"]);
	});

	it("shows line ends as a sign, and keeps one that was pasted as what it is", async () => {
		const { lines, listen, type, written } = open();
		listen();
		await type(`${PASTE("a\nb")} ${PASTE("c⏎d")}${ENTER}`);
		expect(written()).toContain("> a⏎b [Pasted text #1, 1 line]");
		expect(lines).toEqual(["a\nb c⏎d"]);
	});

	it("takes a paste that arrives in pieces", async () => {
		const { lines, listen, type } = open();
		listen();
		for (const piece of ["\u001b[200~a", "\rb", "\u001b[201~", ENTER]) await type(piece);
		expect(lines).toEqual(["a\nb"]);
	});

	it("lets no escape sequence of a pasted text through", async () => {
		const { lines, listen, type } = open();
		listen();
		await type(`${PASTE("a\u001b[2Jb\u0007c")}${ENTER}`);
		expect(lines).toEqual(["abc"]);
	});

	it("shows a long paste by a name, and hands over the whole of it", async () => {
		const { lines, listen, type, written } = open();
		listen();
		const long = Array.from({ length: 60 }, (_, at) => `row ${at}`).join("\n");
		await type(`before ${PASTE(long)} after${ENTER}`);
		expect(written()).toContain("[Pasted text #1, 60 lines]");
		expect(written()).not.toContain("row 30");
		expect(lines).toEqual([`before ${long} after`]);
	});

	it("goes on on the next line behind a backslash, and with Alt and Enter", async () => {
		const { lines, listen, type } = open();
		listen();
		await type(`one\\${ENTER}two${ESCAPE}${ENTER}three${ENTER}`);
		expect(lines).toEqual(["one\ntwo\nthree"]);
	});

	it("is emptied by Ctrl-C, and nothing of it goes into the next prompt", async () => {
		const { input, lines, listen, type } = open();
		listen();
		const keys: string[] = [];
		input.onInterrupt((key) => void keys.push(key));
		await type("SAY hidden");
		await type(CTRL_C);
		await type(`visible${ENTER}`);
		expect(lines).toEqual(["visible"]);
		await type(CTRL_C);
		expect(keys).toEqual(["cleared", "ctrl-c"]);
	});

	it("is kept by Ctrl-C where that stops something else", async () => {
		const { input, lines, listen, type } = open();
		listen();
		const keys: string[] = [];
		input.onInterrupt(
			(key) => void keys.push(key),
			() => true,
		);
		await type("half");
		await type(CTRL_C);
		await type(` whole${ENTER}`);
		expect([keys, lines]).toEqual([["ctrl-c"], ["half whole"]]);
	});

	it("tells Escape from a sequence that begins with it", async () => {
		const { input, listen, type } = open();
		listen();
		const keys: string[] = [];
		input.onInterrupt((key) => void keys.push(key));
		await type("\u001b[D");
		await type(ESCAPE);
		await until(() => keys.length > 0);
		expect(keys).toEqual(["escape"]);
	});

	it("keeps what is typed before anyone listens", async () => {
		const { lines, listen, type } = open();
		await type(`first${ENTER}second${ENTER}`);
		listen();
		expect(lines).toEqual(["first", "second"]);
	});

	it("puts aside what is being typed while a question is open, and knows no answer as a former prompt", async () => {
		const { input, lines, listen, type } = open();
		listen();
		await type("half a pro");
		const answer = input.ask("Really? ");
		await type(`y${ENTER}`);
		expect(await answer).toBe("y");
		await type(`mpt${ENTER}`);
		const another = input.ask("And this? ");
		await type(`no${ENTER}`);
		expect(await another).toBe("no");
		await type(`\u001b[A${ENTER}`);
		expect(lines).toEqual(["half a prompt", "half a prompt"]);
	});

	it("withdraws a question with its half answer", async () => {
		const { input, lines, listen, type } = open();
		listen();
		const gone = new AbortController();
		const answer = input.ask("Really? ", gone.signal);
		await type("ye");
		gone.abort(new Error("no longer asked"));
		await expect(answer).rejects.toThrow("no longer asked");
		await type(`next${ENTER}`);
		expect(lines).toEqual(["next"]);
	});

	it("gives a question up when there is nothing more to read", async () => {
		const { input, stdin } = open();
		const answer = input.ask("Really? ");
		stdin.end();
		await expect(answer).rejects.toThrow("there is nobody to answer");
		await input.closed;
	});

	it("puts a text back before what is being typed, also behind a question", async () => {
		const { input, lines, listen, type } = open();
		listen();
		await type("typed");
		input.putBack("queued");
		await type(ENTER);
		await type("more");
		const answer = input.ask("Really? ");
		input.putBack("again");
		await type(`n${ENTER}`);
		await answer;
		await type(ENTER);
		expect(lines).toEqual(["queued\ntyped", "again\nmore"]);
	});

	it("has bracketed paste on as long as it reads", async () => {
		const { input, modes, settle, written } = open();
		expect([modes, written()]).toEqual([[true], "\u001b[?2004h"]);
		input.close();
		await settle();
		expect(modes).toEqual([true, false]);
		expect(written().endsWith("\u001b[?2004l")).toBe(true);
	});

	it("completes with Tab, but not in answers", async () => {
		const { input, lines, listen, type, settle } = open();
		listen();
		input.complete = (line) => ["/help "].filter((each) => each.startsWith(line));
		await type("/he\t");
		await settle();
		await type(ENTER);
		expect(lines).toEqual(["/help "]);
		const answer = input.ask("Name? ");
		await type("/he\t");
		await settle();
		await type(ENTER);
		expect(await answer).toBe("/he");
	});

	it("reads line by line, and draws nothing, where there is no terminal", async () => {
		const { lines, listen, type, modes, written } = open({ isTTY: false });
		listen();
		await type("one\ntwo\n");
		expect([lines, modes]).toEqual([["one", "two"], []]);
		expect(written()).not.toContain("\u001b");
	});
});

describe("The live region above an input line", () => {
	it("breaks what is printed at words, and puts the line back below it as it was", async () => {
		const { input, stdout, listen, type, lines, written } = open();
		const region = createLiveRegion(stdout as unknown as NodeJS.WriteStream, { ...input, wantedRows: 1 });
		listen();
		await type("half");
		const before = written().length;
		region.print(`${"word ".repeat(20).trim()}\n`);
		await new Promise(setImmediate);
		const shown = written().slice(before);
		expect(shown).toContain(`${"word ".repeat(16).trim()}\n${"word ".repeat(4).trim()}\n`);
		expect(shown.indexOf("> half")).toBeGreaterThan(shown.indexOf("word"));
		await type(` whole${ENTER}`);
		expect(lines).toEqual(["half whole"]);
	});
});
