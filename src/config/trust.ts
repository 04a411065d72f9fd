// Remembers which folders the person has trusted: one small file per folder under ~/.clowder/trust, so that two
// programs at once never lose each other's answer. What trust opens is decided where files are read.

import { createHash } from "node:crypto";
import { readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ClowderError, messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { isRecord } from "../lib/is-record.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { type ProjectFiles, pathsUpward } from "./project-folders.ts";

export interface TrustStore {
	/** Whether the folder or one above it is trusted. Trust in the home folder or `/` covers that folder alone. */
	isTrusted(folder: string): Promise<boolean>;
	/** @throws ClowderError ERR_FILE when the answer cannot be kept. */
	trust(folder: string): Promise<void>;
	/** Takes the answer for exactly this folder back. */
	distrust(folder: string): Promise<void>;
}

export function createTrustStore(options: { readonly homeDir: string; readonly clock: Clock }): TrustStore {
	const directory = join(resolve(options.homeDir), ".clowder", "trust");
	const fileOf = (folder: string) => join(directory, `${createHash("sha256").update(folder).digest("hex")}.json`);

	return {
		async isTrusted(folder) {
			const real = await realFolder(folder);
			if (await hasAnswer(fileOf(real), real)) return true;
			const tooWide = new Set([await realFolder(options.homeDir), resolve("/")]);
			for (const above of pathsUpward(real).slice(1)) {
				if (!tooWide.has(above) && (await hasAnswer(fileOf(above), above))) return true;
			}
			return false;
		},
		async trust(folder) {
			const real = await realFolder(folder);
			const answer = { folder: real, trustedAt: new Date(options.clock.now()).toISOString() };
			const draft = join(directory, `${newId("draft")}.tmp`);
			try {
				await makeFolder(directory, 0o700);
				await writeFile(draft, `${JSON.stringify(answer, null, "\t")}\n`, { mode: 0o600 });
				await rename(draft, fileOf(real));
			} catch (thrown) {
				throw new ClowderError("ERR_FILE", `The trust in ${real} cannot be remembered: ${messageOf(thrown)}`, {
					remedy: `Make ${directory} writable`,
					cause: thrown,
				});
			}
		},
		async distrust(folder) {
			await rm(fileOf(await realFolder(folder)), { force: true });
		},
	};
}

/**
 * How far a project's own files count. Headless runs (`-p`) are as good as trusted: the caller vouches for the
 * folder, and `--no-project-settings` leaves its files out.
 */
export function decideProjectFiles(facts: {
	readonly trusted: boolean;
	readonly headless: boolean;
	readonly noProjectSettings: boolean;
}): ProjectFiles {
	if (facts.noProjectSettings) return "excluded";
	return facts.trusted || facts.headless ? "trusted" : "untrusted";
}

// The same folder by whatever link it is reached.
function realFolder(folder: string): Promise<string> {
	const path = resolve(folder);
	return realpath(path).catch(() => path);
}

async function hasAnswer(file: string, folder: string): Promise<boolean> {
	const text = await readFile(file, "utf8").catch(() => "");
	try {
		const answer: unknown = JSON.parse(text);
		return isRecord(answer) && answer.folder === folder;
	} catch {
		return false;
	}
}
