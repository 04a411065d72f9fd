// One agent's transcript: a JSONL file that only grows. Main writes it; anyone may read it meanwhile.
// The lines themselves are in transcript-lines.ts.

import { createReadStream } from "node:fs";
import { copyFile, type FileHandle, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import type { StoreFault } from "./faults.ts";
import { createLineWriter, NEWLINE } from "./line-writer.ts";
import { makePrivateDir, stateDirError } from "./state-dir.ts";
import { formatCommit, formatReplacement, parseLine } from "./transcript-lines.ts";

/** A history as a transcript holds it. */
export interface LoadedTranscript {
	/** The messages in force, one JSON text each, byte for byte as they were committed. */
	readonly messagesJson: string[];
	/** Ids of all envelopes that ever became part of the history, for de-duplication. */
	readonly acknowledged: string[];
	/** Lines that could not be read and were left out; a torn last line is what a killed process leaves. */
	readonly faults: StoreFault[];
}

export interface Transcript {
	readonly path: string;
	/**
	 * Adds messages and the envelopes they made part of the history.
	 *
	 * **Contract**: resolves when the lines are with the operating system, so that they survive the death of the
	 * process (not of the machine: the file is flushed to disk on close). After a failed write the file refuses
	 * further ones, because a history with a hole is worse than a short one, until `replaceAll` has succeeded.
	 * **Ordering**: lines are in the order of the calls.
	 * @throws ClowderError ERR_STATE_DIR when the file cannot be written or too much is waiting; ERR_CLOSED.
	 */
	append(messagesJson: readonly string[], acknowledged?: readonly string[]): Promise<void>;
	/** Puts another history in the place of the present one, in one line: the former lines stay in the file. */
	replaceAll(messagesJson: readonly string[], acknowledged?: readonly string[]): Promise<void>;
	/** Reads the file, with all that was appended so far. @throws ClowderError ERR_STATE_DIR */
	load(): Promise<LoadedTranscript>;
	/** Writes what waits and closes the file; `flush` also waits until it is on the disk. @default flush */
	close(options?: { readonly flush?: boolean }): Promise<void>;
}

export interface TranscriptOptions {
	readonly clock: Clock;
	/** Most bytes that may wait to be written. @default 67_108_864 */
	readonly maxPendingBytes?: number;
}

/**
 * Opens a transcript for one writer, creating it and its folder when missing.
 *
 * @throws ClowderError ERR_STATE_DIR
 */
export async function openTranscript(path: string, options: TranscriptOptions): Promise<Transcript> {
	const { clock, maxPendingBytes = 64 * 1024 * 1024 } = options;
	const { file, isNew } = await openFile(path);
	const writer = await createLineWriter({ path, file, isNew, maxPendingBytes });
	return {
		path,
		async append(messagesJson, acknowledged = []) {
			await writer.write(formatCommit(messagesJson, acknowledged, clock.now()));
		},
		async replaceAll(messagesJson, acknowledged = []) {
			await writer.write([formatReplacement(messagesJson, acknowledged, clock.now())], { heals: true });
		},
		async load() {
			await writer.idle();
			return loadTranscript(path);
		},
		close: ({ flush = true } = {}) => writer.close(flush),
	};
}

interface OpenedFile {
	readonly file: FileHandle;
	/** Nobody has written to it: most transcripts are a subagent's, which has only one life. */
	readonly isNew: boolean;
}

async function openFile(path: string): Promise<OpenedFile> {
	try {
		return await openOnce(path);
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw stateDirError(path, thrown);
	}
	await makePrivateDir(dirname(path));
	return openOnce(path).catch(async (thrown) => {
		throw stateDirError(path, thrown);
	});
}

async function openOnce(path: string): Promise<OpenedFile> {
	try {
		return { file: await open(path, "ax", 0o600), isNew: true };
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
	}
	// For reading as well: the writer looks at how the file ends.
	return { file: await open(path, "a+", 0o600), isNew: false };
}

/**
 * Reads a transcript without opening it for writing; an empty one when there is no such file.
 *
 * @throws ClowderError ERR_STATE_DIR when it is there and cannot be read.
 */
export async function loadTranscript(path: string): Promise<LoadedTranscript> {
	let messagesJson: string[] = [];
	const acknowledged = new Set<string>();
	const faults: StoreFault[] = [];
	let number = 0;
	try {
		for await (const text of readLines(path)) {
			number += 1;
			if (text === "") continue;
			const line = parseLine(text);
			if ("fault" in line) {
				faults.push({ place: path, key: `line ${number}`, reason: line.fault });
				continue;
			}
			if (line.type === "replaced") messagesJson = line.messages.map((message) => JSON.stringify(message));
			else if (line.type !== "acknowledged") messagesJson.push(JSON.stringify(line.message));
			for (const id of line.acknowledged ?? []) acknowledged.add(id);
		}
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw stateDirError(path, thrown);
	}
	return { messagesJson, acknowledged: [...acknowledged], faults };
}

/** Whether there is a transcript with anything in it. */
export async function isFilled(path: string): Promise<boolean> {
	return stat(path).then(
		({ size }) => size > 0,
		() => false,
	);
}

/** Copies transcripts to a folder that is created; those of subagents, which are named after their runs, stay. */
export async function copyTranscripts(from: string, to: string): Promise<void> {
	try {
		await makePrivateDir(to);
		const names = (await readdir(from)).filter((name) => name.endsWith(".jsonl") && !name.startsWith("task_"));
		for (const name of names) await copyFile(join(from, name), join(to, name));
	} catch (thrown) {
		throw stateDirError(to, thrown);
	}
}

/** Splits on line feeds alone: node:readline also splits on U+2028, which JSON texts may hold. */
async function* readLines(path: string): AsyncGenerator<string> {
	let parts: Buffer[] = [];
	for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
			yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString("utf8");
			parts = [];
			start = end + 1;
		}
		parts.push(chunk.subarray(start));
	}
	yield Buffer.concat(parts).toString("utf8");
}
