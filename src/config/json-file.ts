// Reads a JSON file that people write by hand; what is wrong with it comes back with line and column.

import { messageOf } from "../errors.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ConfigFault } from "./fault.ts";
import type { FileCache } from "./file-cache.ts";
import { findJsonFault } from "./json-fault.ts";

export interface JsonObjectReading {
	/** Absent when there is no such file or it cannot be used. */
	readonly value?: Readonly<Record<string, unknown>>;
	readonly fault?: ConfigFault;
}

/** Reads `path`, which must hold a JSON object. An empty file counts as `{}`. */
export async function readJsonObject(path: string, files: FileCache): Promise<JsonObjectReading> {
	const read = await files.read(path, parseJsonObject);
	if (read.kind === "missing") return {};
	if (read.kind === "unreadable") return { fault: { path, reason: read.reason } };
	const { value, fault } = read.value;
	return fault ? { fault: { path, ...fault } } : { value: value ?? {} };
}

/** Reads a JSON object from `text`; `path` names it in the fault. */
export function readJsonText(text: string, path: string): JsonObjectReading {
	const { value, fault } = parseJsonObject(text);
	return fault ? { fault: { path, ...fault } } : { value: value ?? {} };
}

interface Parsed {
	readonly value?: Readonly<Record<string, unknown>>;
	readonly fault?: Omit<ConfigFault, "path">;
}

function parseJsonObject(text: string): Parsed {
	const clean = text.replace(/^\uFEFF/, "");
	if (clean.trim() === "") return {};
	let value: unknown;
	try {
		value = JSON.parse(clean);
	} catch (thrown) {
		const fault = findJsonFault(clean);
		if (!fault) return { fault: { reason: `it is no JSON: ${messageOf(thrown)}` } };
		return { fault: { line: fault.line, reason: `it is no JSON (column ${fault.column}): ${fault.reason}` } };
	}
	return isRecord(value) ? { value } : { fault: { line: 1, reason: "it must hold a JSON object { … }" } };
}
