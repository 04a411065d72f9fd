// The line in which the person types, always at the bottom: prompts for the lead, and answers to questions. A question
// puts aside what was typed so far; lines that nobody waits for yet are kept. What is printed takes the line away and
// puts it back below (live-region.ts).

import { createInterface } from "node:readline";
import { createKeys } from "./keys.ts";
import { createPastedTexts } from "./pasted-texts.ts";
import { plainText } from "./plain-text.ts";

const PROMPT = "> ";

export type InterruptKey = "ctrl-c" | "cleared" | "escape";

export interface LineInput {
	/** Hands over each line, those typed before included, until the result is called. */
	onLine(listener: (line: string) => void): () => void;
	/** Hands over each Escape and each Ctrl-C, `cleared` where it emptied a line: unless `takesAll` keeps the line. */
	onInterrupt(listener: (key: InterruptKey) => void, takesAll?: () => boolean): () => void;
	/** Resolves when there is nothing more to read. */
	readonly closed: Promise<void>;
	/** Asks one question. Rejects when the signal aborts. One at a time: see `ask-person.ts`. */
	ask(query: string, signal?: AbortSignal): Promise<string>;
	/** Puts text before what is being typed. */
	putBack(text: string): void;
	/** Called before the line moves up, or anything is written below it. */
	beforeOutput: () => void;
	/** What Tab offers for a line. */
	complete: (line: string) => string[];
	/** Takes the line off the screen, as far as it is there. */
	hide(): void;
	/** Shows the line where the cursor is. */
	show(): void;
	close(): void;
}

interface Question {
	/** What was being typed when it came up. */
	saved: string;
	readonly answer: (line: string) => void;
	readonly giveUp: () => void;
}

export function createLineInput(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): LineInput {
	const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
	const pastes = createPastedTexts();
	const waiting: string[] = [];
	let onLine: ((line: string) => void) | undefined;
	let onInterrupt: ((key: InterruptKey) => void) | undefined;
	let takesAll = () => false;
	let question: Question | undefined;
	let isShown = false;
	let isClosed = false;

	const handlers = {
		onPaste: (text: string) => insert(pastes.shorten(plainText(text.replace(/\r\n?/g, "\n")))),
		onEscape: () => onInterrupt?.("escape"),
		onEnter: (withAlt: boolean) => {
			const { line, cursor } = rl;
			const isContinued = line[cursor - 1] === "\\";
			if (question || (!withAlt && !isContinued)) return false;
			setLine(line.slice(0, isContinued ? cursor - 1 : cursor), pastes.shorten("\n"), line.slice(cursor));
			return true;
		},
		beforeOutput: () => input.beforeOutput(),
	};
	const keys = isTerminal ? createKeys(stdin, stdout, handlers) : undefined;
	const rl = createInterface({
		input: keys ?? stdin,
		output: stdout,
		prompt: PROMPT,
		historySize: 500,
		completer: (line: string) => [question ? [] : input.complete(line), line],
	});
	const closed = new Promise<void>((resolve) => {
		rl.once("close", () => {
			isClosed = true;
			if (isShown) stdout.write("\n");
			question?.giveUp();
			resolve();
		});
	});

	rl.on("line", (typed) => {
		isShown = false;
		const line = isTerminal ? pastes.expand(typed) : typed;
		if (question) return question.answer(line);
		if (onLine) onLine(line);
		else waiting.push(line);
		if (onLine) show();
	});
	// An answer is no prompt to come back to.
	rl.on("history", (history) => void (question && history.shift()));
	rl.on("SIGINT", () => {
		if (rl.line === "" || takesAll()) return onInterrupt?.("ctrl-c");
		// As in a shell: the line stays readable above, and is gone.
		input.beforeOutput();
		setLine(rl.line, "", "");
		stdout.write("^C\n");
		// Upstream: readline would begin the next line on the rows of this one.
		Object.assign(rl, { prevRows: 0 });
		setLine("", "", "");
		onInterrupt?.("cleared");
	});

	/** Puts `middle` between the two others, and the cursor behind it. */
	function setLine(before: string, middle: string, after: string): void {
		// Upstream: readline has no way to insert text at once that is not taken for keys.
		Object.assign(rl, { line: before + middle + after, cursor: before.length + middle.length });
		refresh();
	}

	function insert(text: string): void {
		setLine(rl.line.slice(0, rl.cursor), text, rl.line.slice(rl.cursor));
	}

	function refresh(): void {
		if (isClosed) return;
		rl.prompt(true);
		isShown = true;
	}

	function show(): void {
		if (!isShown && (onLine || question)) refresh();
	}

	function hide(): void {
		if (!isShown || isClosed) return;
		isShown = false;
		if (!isTerminal) return;
		// Readline alone knows on which row of its line the cursor is: it erases by showing an empty one.
		const kept = { line: rl.line, cursor: rl.cursor };
		const prompt = rl.getPrompt();
		rl.setPrompt("");
		Object.assign(rl, { line: "", cursor: 0 });
		rl.prompt(true);
		rl.setPrompt(prompt);
		Object.assign(rl, kept);
	}

	function ask(query: string, signal?: AbortSignal): Promise<string> {
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			if (isClosed) return reject(new Error("there is nobody to answer"));
			const onAbort = () => {
				hide();
				reject(signal?.reason);
				end();
			};
			function end(): void {
				signal?.removeEventListener("abort", onAbort);
				const saved = question?.saved ?? "";
				question = undefined;
				if (isClosed) return;
				rl.setPrompt(PROMPT);
				Object.assign(rl, { line: saved, cursor: saved.length });
				if (onLine) show();
			}
			hide();
			question = {
				saved: rl.line,
				answer: (line) => {
					resolve(line);
					end();
				},
				giveUp: () => {
					reject(new Error("there is nobody to answer"));
					end();
				},
			};
			signal?.addEventListener("abort", onAbort, { once: true });
			rl.setPrompt(query);
			setLine("", "", "");
		});
	}

	function putBack(text: string): void {
		const joined = (rest: string) =>
			[pastes.shorten(text), rest].filter((part) => part !== "").join(pastes.shorten("\n"));
		if (question) question.saved = joined(question.saved);
		else {
			hide();
			setLine(joined(rl.line), "", "");
		}
	}

	const input: LineInput = {
		closed,
		complete: () => [],
		beforeOutput: () => {},
		ask,
		putBack,
		hide,
		show,
		onLine: (listener) => {
			onLine = listener;
			for (const line of waiting.splice(0)) {
				stdout.write(`${PROMPT}${line}\n`);
				listener(line);
			}
			return () => {
				if (onLine === listener) onLine = undefined;
			};
		},
		onInterrupt: (listener, all = () => false) => {
			onInterrupt = listener;
			takesAll = all;
			return () => {
				if (onInterrupt === listener) onInterrupt = undefined;
			};
		},
		close: () => {
			hide();
			rl.close();
			keys?.stop();
		},
	};
	return input;
}
