// Reads the small fields that skills and commands share.

import type { ConfigFault } from "./fault.ts";
import type { FrontMatterField } from "./front-matter-lenient.ts";
import { splitNames } from "./name-list.ts";

type Fields = ReadonlyMap<string, FrontMatterField>;

/** A field as text; undefined where it is absent or empty. `[a] [b]` that YAML takes for a list is text all the same. */
export function textField(fields: Fields, name: string): string | undefined {
	const value = fields.get(name)?.value;
	if (typeof value === "string") return value.trim() || undefined;
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	return Array.isArray(value) ? value.map((item) => `[${String(item)}]`).join(" ") : undefined;
}

export function namesField(fields: Fields, name: string, path: string, faults: ConfigFault[]): readonly string[] {
	const field = fields.get(name);
	if (field === undefined || field.value === null) return [];
	const names = splitNames(field.value);
	if (names === undefined) faults.push({ path, line: field.line, reason: `${name} must be a list of tool names` });
	return names ?? [];
}

export function flagField(fields: Fields, name: string, absent: boolean): boolean {
	const value = fields.get(name)?.value;
	if (value === undefined || value === null) return absent;
	return value === true || value === "true" || value === "yes";
}
