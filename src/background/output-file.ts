// A job's output: the child writes into the file itself, nothing passes through main's memory. Main looks at the size
// now and then; a file above its cap keeps its beginning and its end. Between two looks it can be longer.

import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";

/** How much of the end is kept when a file is cut. */
const MAX_TAIL_BYTES = 64 * 1024;
const CUT_MARK = "\n… (the output grew too long; a part of it was thrown away here) …\n";

export interface OutputFile {
	/** For the child's stdout and stderr: opened for appending, so that a cut file is not filled with zeros. */
	readonly fd: number;
	readonly path: string;
	/** Bytes now. */
	size(): Promise<number>;
	/**
	 * Cuts the file when it is above its cap; answers whether it was.
	 *
	 * @param hold stops whoever writes to it, until what it returns is called.
	 */
	cut(hold: () => () => void): Promise<boolean>;
	/** The end of it, at most so many bytes. */
	tail(maxBytes: number): Promise<string>;
	close(): Promise<void>;
}

export async function createOutputFile(path: string, maxBytes: number): Promise<OutputFile> {
	await makeFolder(dirname(path), 0o700);
	const file = await open(path, "a+", 0o600);
	const size = async () => (await file.stat()).size;
	return {
		fd: file.fd,
		path,
		size,
		async cut(hold) {
			if ((await size()) <= maxBytes) return false;
			const goOn = hold();
			try {
				// Order: the writers have time to stop before the end is read.
				const bytes = await size();
				const kept = Math.min(MAX_TAIL_BYTES, Math.floor(maxBytes / 2));
				cutNow(file.fd, { bytes, tail: await readTail(file, bytes, kept) }, maxBytes, kept);
			} finally {
				goOn();
			}
			return true;
		},
		tail: async (most) => (await readTail(file, await size(), most)).toString("utf8"),
		close: () => file.close(),
	};
}

// Race: a process that has left the job's group is not held and may go on writing; what comes between the last read and
// the cut is lost, and what comes between the cut and the end that is put back stands in the wrong place. So this step
// alone is synchronous: some kilobytes, in memory.
function cutNow(fd: number, seen: { bytes: number; tail: Buffer }, maxBytes: number, kept: number): void {
	const grown = Math.max(0, fstatSync(fd).size - seen.bytes);
	const more = Buffer.alloc(Math.min(grown, kept));
	const bytesRead = more.length === 0 ? 0 : readSync(fd, more, 0, more.length, seen.bytes + grown - more.length);
	const end = Buffer.concat([seen.tail, more.subarray(0, bytesRead)]).subarray(-kept);
	ftruncateSync(fd, Math.max(0, maxBytes - kept - Buffer.byteLength(CUT_MARK)));
	writeSync(fd, Buffer.concat([Buffer.from(CUT_MARK), end]));
}

/** The end of a file by its path, and how long it is; undefined when it cannot be read. */
export async function readEnd(path: string, maxBytes: number): Promise<{ text: string; bytes: number } | undefined> {
	const file = await open(path, "r").catch(() => undefined);
	if (!file) return undefined;
	try {
		const bytes = (await file.stat()).size;
		return { text: (await readTail(file, bytes, maxBytes)).toString("utf8"), bytes };
	} catch {
		return undefined;
	} finally {
		await file.close();
	}
}

async function readTail(file: FileHandle, size: number, maxBytes: number): Promise<Buffer> {
	const length = Math.min(size, maxBytes);
	const buffer = Buffer.alloc(length);
	const { bytesRead } = await file.read(buffer, 0, length, size - length);
	const read = buffer.subarray(0, bytesRead);
	// A cut through a character would start the text with a broken one.
	let start = 0;
	if (length < size) while (start < 3 && ((read[start] ?? 0) & 0xc0) === 0x80) start += 1;
	return read.subarray(start);
}
