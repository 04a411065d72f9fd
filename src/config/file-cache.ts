// Reads a text file and parses it once per change: the parsed value is kept until the file's time or size moves.
// A file that is not there and a file that cannot be used are answers, not errors.

import { constants } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

export type FileReading<T> =
	| { readonly kind: "read"; readonly value: T }
	| { readonly kind: "missing" }
	| { readonly kind: "unreadable"; readonly reason: string };

export interface FileCache {
	/**
	 * The parsed file.
	 *
	 * **Contract**: `parse` is pure and a constant of its module: it is part of the key. Its value is shared between
	 * callers and must not be changed.
	 */
	read<T>(path: string, parse: (text: string) => T): Promise<FileReading<T>>;
}

interface Entry {
	readonly version: string;
	readonly value: unknown;
}

const MAX_ENTRIES = 4_000;
const MAX_BYTES = 1_048_576;

export function createFileCache(): FileCache {
	const byParser = new Map<unknown, Map<string, Entry>>();

	function entriesOf(parse: unknown): Map<string, Entry> {
		const known = byParser.get(parse);
		if (known) return known;
		const entries = new Map<string, Entry>();
		byParser.set(parse, entries);
		return entries;
	}

	return {
		async read<T>(path: string, parse: (text: string) => T): Promise<FileReading<T>> {
			const entries = entriesOf(parse);
			const known = entries.get(path);
			const found = await readIfChanged(path, known?.version);
			if (found.kind === "same" && known) return { kind: "read", value: known.value as T };
			entries.delete(path);
			if (found.kind !== "text") return found.kind === "unreadable" ? found : { kind: "missing" };
			const value = parse(found.text);
			entries.set(path, { version: found.version, value });
			const oldest = entries.size > MAX_ENTRIES ? entries.keys().next().value : undefined;
			if (oldest !== undefined) entries.delete(oldest);
			return { kind: "read", value };
		},
	};
}

type FileState =
	| { readonly kind: "text"; readonly text: string; readonly version: string }
	| { readonly kind: "same" }
	| { readonly kind: "missing" }
	| { readonly kind: "unreadable"; readonly reason: string };

async function readIfChanged(path: string, version: string | undefined): Promise<FileState> {
	let file: FileHandle | undefined;
	try {
		// Non-blocking, so that a FIFO put in the place of a file cannot hold the read for ever.
		file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const found = await file.stat();
		if (!found.isFile()) return { kind: "unreadable", reason: "it is not a regular file" };
		const current = `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}`;
		if (current === version) return { kind: "same" };
		if (found.size > MAX_BYTES) {
			return { kind: "unreadable", reason: `it has ${found.size} bytes; at most ${MAX_BYTES} are read` };
		}
		const text = decodeText(await file.readFile());
		if (text === undefined) return { kind: "unreadable", reason: "it is not a text file" };
		return { kind: "text", text, version: current };
	} catch (thrown) {
		const state = stateOfError(thrown);
		if (state.kind === "missing" && (await leadsNowhere(path))) {
			return { kind: "unreadable", reason: "its symbolic link leads to nothing" };
		}
		return state;
	} finally {
		await file?.close();
	}
}

function decodeText(bytes: Buffer): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
	if (bytes.includes(0)) return undefined;
	return new TextDecoder("utf-8").decode(bytes);
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
	EACCES: "it may not be read; check its permissions",
	EPERM: "it may not be read; check its permissions",
	ELOOP: "its symbolic link leads nowhere but to itself",
	EISDIR: "it is a folder",
	EMFILE: "too many files are open",
};

/** Whether somebody has put a link where the file, or the folder it is in, would be. */
async function leadsNowhere(path: string): Promise<boolean> {
	const isLink = (at: string) =>
		lstat(at).then(
			(stat) => stat.isSymbolicLink(),
			() => false,
		);
	if (await isLink(path)) return true;
	const folder = dirname(path);
	if (!(await isLink(folder))) return false;
	return stat(folder).then(
		() => false,
		() => true,
	);
}

function stateOfError(thrown: unknown): FileState {
	const code = (thrown as NodeJS.ErrnoException).code ?? "";
	if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
	return { kind: "unreadable", reason: ERROR_TEXTS[code] ?? `it cannot be read (${code || String(thrown)})` };
}
