// What a headless run is asked: the argument, standard input, or both.

import { createInterface } from "node:readline";
import { UsageError } from "../failure.ts";
import type { Flags } from "../flags.ts";
import type { Terminal } from "../terminal/terminal.ts";

const MAX_STDIN_BYTES = 10 * 2 ** 20;

/** The prompts of a headless run, in order: one, or a line of stream-json each. @throws UsageError */
export async function* readPrompts(flags: Flags, terminal: Terminal): AsyncGenerator<string> {
	if (flags.inputFormat === "stream-json") {
		if (flags.prompt !== undefined) yield flags.prompt;
		yield* readStreamJson(terminal.stdin);
		return;
	}
	const piped = terminal.stdin.isTTY ? "" : await readAll(terminal.stdin);
	const prompt = [flags.prompt ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
	if (prompt === "") throw new UsageError(`There is no prompt: ${whereItWent(flags)}`);
	yield prompt;
}

function whereItWent({ allowedTools, disallowedTools, addDir }: Flags): string {
	const greedy = { "--allowedTools": allowedTools, "--disallowedTools": disallowedTools, "--add-dir": addDir };
	const given = Object.entries(greedy).flatMap(([flag, values]) => (values.length > 0 ? [flag] : []));
	if (given.length === 0) return "give one as an argument or on standard input";
	const takes = given.length === 1 ? "takes" : "take";
	return `${given.join(" and ")} ${takes} every word that follows; put the prompt before the flag or after --`;
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stdin) {
		bytes += (chunk as Buffer).length;
		if (bytes > MAX_STDIN_BYTES) {
			throw new UsageError(
				`Standard input is larger than ${MAX_STDIN_BYTES / 2 ** 20} MB: name a file in the prompt instead`,
			);
		}
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks).toString("utf8");
}

async function* readStreamJson(stdin: NodeJS.ReadStream): AsyncGenerator<string> {
	let number = 0;
	for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
		number += 1;
		if (line.trim() === "") continue;
		yield userText(line, number);
	}
}

function userText(line: string, number: number): string {
	const fault = (why: string) => new UsageError(`Line ${number} of standard input ${why}`);
	let parsed: unknown;
	try {
		parsed = JSON.parse(line);
	} catch {
		throw fault("is not JSON");
	}
	const { type, message } = parsed as { type?: unknown; message?: { content?: unknown } };
	if (type !== "user" || !message) throw fault('must be {"type":"user","message":{"role":"user","content":…}}');
	if (typeof message.content === "string") return message.content;
	if (!Array.isArray(message.content)) throw fault("has no content");
	return message.content
		.filter((block: { type?: unknown }) => block.type === "text")
		.map((block: { text?: unknown }) => String(block.text))
		.join("\n");
}
