// Reads a JSON file that people write by hand; what is wrong with it comes back with line and column.

import { messageOf } from "../errors.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ConfigFault } from "./fault.ts";
import type { FileCache } from "./file-cache.ts";
import { findJsonFault, findTwinKey } from "./json-fault.ts";

export interface JsonObjectReading {
	/** Absent when there is no such file or it cannot be used. */
	readonly value?: Readonly<Record<string, unknown>>;
	readonly fault?: ConfigFault;
	/** Of two keys of one name the last counts. Told where rules stand: those under the first are lost. */
	readonly twin?: ConfigFault;
}

/** Reads `path`, which must hold a JSON object. An empty file counts as `{}`. */
export async function readJsonObject(path: string, files: FileCache): Promise<JsonObjectReading> {
	const read = await files.read(path, parseJsonObject);
	if (read.kind === "missing") return {};
	if (read.kind === "unreadable") return { fault: { path, reason: read.reason } };
	return toReading(read.value, path);
}

/** Reads a JSON object from `text`; `path` names it in the fault. */
export function readJsonText(text: string, path: string): JsonObjectReading {
	return toReading(parseJsonObject(text), path);
}

function toReading({ value = {}, fault, twin }: Parsed, path: string): JsonObjectReading {
	if (fault) return { fault: { path, ...fault } };
	return twin === undefined ? { value } : { value, twin: { path, ...twin } };
}

interface Parsed {
	readonly value?: Readonly<Record<string, unknown>>;
	readonly fault?: Omit<ConfigFault, "path">;
	readonly twin?: Omit<ConfigFault, "path">;
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
	if (!isRecord(value)) return { fault: { line: 1, reason: "it must hold a JSON object { … }" } };
	const twin = "permissions" in value ? findTwinKey(clean, isAboutRules) : undefined;
	return twin ? { value, twin: { line: twin.line, reason: twin.reason } } : { value };
}

function isAboutRules(above: readonly string[], key: string): boolean {
	return above.length === 0 ? key === "permissions" : above.length === 1 && above[0] === "permissions";
}
