// Writes rules that shall stay into a settings file. Keeps everything else in it, replaces it in one step, and never
// touches a file it cannot read.

import { randomUUID } from "node:crypto";
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import { isRecord } from "../lib/is-record.ts";
import { makeFolder } from "../lib/make-folder.ts";
import type { RuleKind } from "./rules/rule.ts";

/** Adds rules to one list of the file (@default allow); calls run one after another. @throws ClowderError ERR_FILE */
export type WriteAlwaysRules = (rules: readonly string[], kind?: RuleKind) => Promise<void>;

/** A writer for one file, usually `.clowder/settings.local.json`. The file and its folder need not exist. */
export function createSettingsWriter(file: string): WriteAlwaysRules {
	let last: Promise<void> = Promise.resolve();
	return (rules, kind = "allow") => {
		const write = last.then(() => addRules(file, rules, kind));
		last = write.catch(() => {});
		return write;
	};
}

async function addRules(file: string, rules: readonly string[], kind: RuleKind): Promise<void> {
	try {
		// A link is written through, not replaced.
		const target = await realpath(file).catch(() => file);
		const text = await readText(target);
		const next = withRules(text, rules, kind, file);
		if (next !== text) await replaceFile(target, next);
	} catch (thrown) {
		if (isClowderError(thrown)) throw thrown;
		throw new ClowderError("ERR_FILE", `${file} cannot be written: ${messageOf(thrown)}`, {
			remedy: "Check that the folder exists and may be written to",
			cause: thrown,
		});
	}
}

async function readText(file: string): Promise<string> {
	try {
		return await readFile(file, "utf8");
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return "";
		throw thrown;
	}
}

function withRules(text: string, rules: readonly string[], kind: RuleKind, file: string): string {
	const settings = parseSettings(text, file);
	const permissions = settings.permissions ?? {};
	if (!isRecord(permissions)) throw broken(file, "its permissions are not an object");
	const listed = permissions[kind] ?? [];
	if (!Array.isArray(listed)) throw broken(file, `its permissions.${kind} is not a list`);
	const added = [...new Set(rules)].filter((rule) => !listed.includes(rule));
	if (added.length === 0) return text;
	const next = { ...settings, permissions: { ...permissions, [kind]: [...listed, ...added] } };
	return `${JSON.stringify(next, null, indentOf(text))}\n`;
}

function parseSettings(text: string, file: string): Readonly<Record<string, unknown>> {
	const plain = text.replace(/^\uFEFF/, "");
	if (plain.trim() === "") return {};
	let value: unknown;
	try {
		value = JSON.parse(plain);
	} catch (thrown) {
		throw broken(file, `it is not valid JSON (${messageOf(thrown)})`);
	}
	if (!isRecord(value)) throw broken(file, "it does not hold a JSON object");
	return value;
}

function indentOf(text: string): string {
	return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

// Race: a reader sees the old file or the new one, never half of one.
async function replaceFile(file: string, text: string): Promise<void> {
	await makeFolder(dirname(file));
	const before = await stat(file).catch(() => undefined);
	const temporary = `${file}.${randomUUID()}.tmp`;
	try {
		await writeFile(temporary, text, { flag: "wx" });
		if (before) await chmod(temporary, before.mode & 0o7777);
		await rename(temporary, file);
	} catch (thrown) {
		await rm(temporary, { force: true });
		throw thrown;
	}
}

function broken(file: string, reason: string): ClowderError {
	return new ClowderError("ERR_FILE", `${file} is left as it is, because ${reason}`, {
		remedy: "Correct the file, then answer again",
		details: { file },
	});
}
