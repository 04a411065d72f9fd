// Appends lines to one file, in order, without waiting for the disk between them: lines that come while a
// write is under way go into the next one together.

import type { FileHandle } from "node:fs/promises";
import { ClowderError } from "../errors.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { stateDirError } from "./state-dir.ts";

export interface LineWriter {
	/**
	 * Resolves when the lines are with the operating system. After a failure every write is refused with it,
	 * until one that `heals` has succeeded.
	 */
	write(lines: readonly string[], options?: { readonly heals?: boolean }): Promise<void>;
	/** Resolves when nothing is under way; never rejects. */
	idle(): Promise<void>;
	/** `flush`: waits until the file is on the disk. */
	close(flush: boolean): Promise<void>;
}

interface Job {
	readonly bytes: Buffer;
	readonly heals: boolean;
	readonly done: Deferred<void>;
}

export const NEWLINE = 0x0a;

export interface LineWriterOptions {
	readonly path: string;
	/** Opened for appending, and for reading unless it is new; belongs to the writer from now on. */
	readonly file: FileHandle;
	/** Nothing has been written to it. */
	readonly isNew: boolean;
	/** Most bytes that may wait to be written. */
	readonly maxPendingBytes: number;
}

export async function createLineWriter(options: LineWriterOptions): Promise<LineWriter> {
	const { path, file, isNew, maxPendingBytes } = options;
	const jobs: Job[] = [];
	let pendingBytes = 0;
	let pumping: Promise<void> | undefined;
	let closing: Promise<void> | undefined;
	let failure: ClowderError | undefined;
	// A torn last line must not swallow the next one.
	let startsOnNewLine = isNew || (await endsWithNewline(path, file));

	function write(lines: readonly string[], { heals = false } = {}): Promise<void> {
		if (closing !== undefined) return Promise.reject(new ClowderError("ERR_CLOSED", "The supervisor is closed"));
		if (failure && !heals && jobs.every((job) => !job.heals)) return Promise.reject(failure);
		if (lines.length === 0) return Promise.resolve();
		const job = { bytes: Buffer.from(`${lines.join("\n")}\n`), heals, done: createDeferred() };
		if (pendingBytes + job.bytes.length > maxPendingBytes && pendingBytes > 0) {
			failure = new ClowderError("ERR_STATE_DIR", `The transcript ${path} is written faster than its disk can take`, {
				remedy: "Put the state folder on a faster disk",
				details: { path, pendingBytes },
			});
			return Promise.reject(failure);
		}
		jobs.push(job);
		pendingBytes += job.bytes.length;
		pumping ??= pump();
		return job.done.promise;
	}

	async function pump(): Promise<void> {
		while (jobs.length > 0) {
			const batch = jobs.splice(0);
			const firstHealing = failure ? batch.findIndex((job) => job.heals) : 0;
			const refused = firstHealing < 0 ? batch : batch.slice(0, firstHealing);
			for (const job of refused) job.done.reject(failure);
			await writeBatch(batch.slice(refused.length));
			for (const job of batch) pendingBytes -= job.bytes.length;
		}
		// Race: in the same step as the last look at `jobs`, so that a job that comes now starts the next pump.
		pumping = undefined;
	}

	async function writeBatch(batch: readonly Job[]): Promise<void> {
		if (batch.length === 0) return;
		const bytes = batch.map((job) => job.bytes);
		try {
			await file.appendFile(Buffer.concat(startsOnNewLine ? bytes : [Buffer.of(NEWLINE), ...bytes]));
			startsOnNewLine = true;
			if (batch.some((job) => job.heals)) failure = undefined;
			for (const job of batch) job.done.resolve();
		} catch (thrown) {
			startsOnNewLine = false;
			failure = stateDirError(path, thrown);
			for (const job of batch) job.done.reject(failure);
		}
	}

	async function finish(flush: boolean): Promise<void> {
		await pumping;
		try {
			if (flush) await file.datasync();
		} catch (thrown) {
			throw stateDirError(path, thrown);
		} finally {
			await file.close();
		}
	}

	return {
		write,
		async idle() {
			while (pumping !== undefined) await pumping;
		},
		close(flush) {
			closing ??= finish(flush);
			return closing;
		},
	};
}

async function endsWithNewline(path: string, file: FileHandle): Promise<boolean> {
	try {
		const { size } = await file.stat();
		if (size === 0) return true;
		const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
		return buffer[0] === NEWLINE;
	} catch (thrown) {
		await file.close();
		throw stateDirError(path, thrown);
	}
}
