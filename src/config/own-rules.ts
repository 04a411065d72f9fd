// Which allow rules of a project's settings file are the person's own answers: one small file per rule under
// ~/.clowder/trust. A file that came with the folder cannot claim any, since what is remembered names the file by the
// real path of its folder, and each rule by its text.

import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { newId } from "../lib/ids.ts";
import { isRecord } from "../lib/is-record.ts";

export interface OwnRules {
	/** Remembers that the person had these allow rules written into the file. */
	remember(file: string, rules: readonly string[]): Promise<void>;
	/** Those of the rules that the person had written into the file. */
	among(file: string, rules: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createOwnRules(homeDir: string): OwnRules {
	const directory = join(resolve(homeDir), ".clowder", "trust");
	const placeOf = (file: string, rule: string) =>
		join(directory, `rule-${createHash("sha256").update(`${file}\0${rule}`).digest("hex")}.json`);

	return {
		async remember(file, rules) {
			const name = await nameOf(file);
			await mkdir(directory, { recursive: true, mode: 0o700 });
			for (const rule of rules) {
				const draft = join(directory, `${newId("draft")}.tmp`);
				await writeFile(draft, `${JSON.stringify({ file: name, allow: rule }, null, "\t")}\n`, { mode: 0o600 });
				await rename(draft, placeOf(name, rule));
			}
		},
		async among(file, rules) {
			const name = await nameOf(file);
			const own = await Promise.all(rules.map((rule) => isRemembered(placeOf(name, rule), name, rule)));
			return new Set(rules.filter((_, index) => own[index]));
		},
	};
}

// The project is known by its real path; what is inside of it by its name there, so that a link in a cloned project
// does not lead to what the person answered in another one.
async function nameOf(file: string): Promise<string> {
	const path = resolve(file);
	const project = dirname(dirname(path));
	const real = await realpath(project).catch(() => project);
	return join(real, basename(dirname(path)), basename(path));
}

async function isRemembered(place: string, file: string, rule: string): Promise<boolean> {
	const text = await readFile(place, "utf8").catch(() => "");
	try {
		const answer: unknown = JSON.parse(text);
		return isRecord(answer) && answer.file === file && answer.allow === rule;
	} catch {
		return false;
	}
}
