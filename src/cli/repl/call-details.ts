// What a tool call would do, whole, as a person reads it before allowing it: a command as its lines, a change as what
// goes and what comes, anything else field by field.

import { inspect } from "node:util";
import type { PermissionPrompt } from "../../permissions/prompt.ts";
import { visibleLines } from "../terminal/visible-text.ts";

export interface DetailLine {
	readonly text: string;
	readonly tone: "plain" | "added" | "removed";
}

/** Every line of it; nothing is cut, folded or left out. */
export function describeCall({ toolName, input }: Pick<PermissionPrompt, "toolName" | "input">): DetailLine[] {
	const fields = new Map<string, unknown>(isPlainObject(input) ? Object.entries(input) : [["input", input]]);
	const take = (name: string): string | undefined => {
		const value = fields.get(name);
		if (typeof value !== "string") return undefined;
		fields.delete(name);
		return value;
	};
	return [...mainLines(toolName, take), ...[...fields].flatMap(describeField)];
}

function mainLines(toolName: string, take: (name: string) => string | undefined): DetailLine[] {
	switch (toolName) {
		case "bash":
			return marked(take("command"), "", "plain");
		case "write_file": {
			const path = marked(take("path"), "", "plain");
			const content = take("content");
			if (content === "") return [...path, { text: "(nothing: the file will be empty)", tone: "plain" }];
			// The end of the last line is no line of its own.
			return [...path, ...marked(content?.replace(/\n$/, ""), "+ ", "added")];
		}
		case "edit_file": {
			const path = marked(take("path"), "", "plain");
			const texts = [take("old_text") ?? "", take("new_text") ?? ""];
			// Where both end with a line, that end is no line of its own.
			const [before, after] = texts.every((text) => /.\n$/s.test(text))
				? texts.map((text) => text.slice(0, -1))
				: texts;
			return [...path, ...marked(before || undefined, "- ", "removed"), ...marked(after || undefined, "+ ", "added")];
		}
		default:
			return [];
	}
}

function marked(text: string | undefined, mark: string, tone: DetailLine["tone"]): DetailLine[] {
	return text === undefined ? [] : visibleLines(text).map((line) => ({ text: `${mark}${line}`, tone }));
}

function describeField([key, value]: [string, unknown]): DetailLine[] {
	const name = visibleLines(key).join("␊");
	const [first = "", ...others] = visibleLines(typeof value === "string" ? value : asText(value));
	const shown =
		others.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...others].map((line) => `  ${line}`)];
	return shown.map((text) => ({ text, tone: "plain" }));
}

/** As JSON; what JSON would leave out, change or refuse as Node shows it. */
function asText(value: unknown): string {
	try {
		return JSON.stringify(value, onlyJson, 2);
	} catch {
		return inspect(value, WHOLE);
	}
}

const WHOLE = { depth: null, maxArrayLength: null, maxStringLength: null, customInspect: false } as const;

function onlyJson(this: unknown, _key: string, value: unknown): unknown {
	const isJson =
		value === null ||
		["string", "boolean"].includes(typeof value) ||
		Number.isFinite(value) ||
		Array.isArray(value) ||
		isPlainObject(value);
	if (!isJson) throw new TypeError("no JSON");
	return value;
}

function isPlainObject(value: unknown): value is object {
	if (typeof value !== "object" || value === null || typeof (value as { toJSON?: unknown }).toJSON === "function") {
		return false;
	}
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
