// Collects the instruction files (CLAUDE.md, AGENTS.md) that go into a system prompt: the person's own first, then
// from the root down to the working folder, so that what is nearest is read last. Main thread.

import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ConfigFault } from "./fault.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { findImports, importCandidates } from "./imports.ts";
import { findProject, type ProjectFiles, pathsUpward } from "./project-folders.ts";

export interface LoadInstructionsOptions {
	readonly cwd: string;
	readonly homeDir: string;
	/** @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	readonly files?: FileCache;
}

export interface InstructionSection {
	readonly path: string;
	readonly text: string;
	/** The file whose `@path` brought it in. */
	readonly importedBy?: string;
}

export interface LoadedInstructions {
	/** In the order they belong into the prompt; an import follows its importer. */
	readonly sections: readonly InstructionSection[];
	/** Files that could not be used, and imports that lead nowhere. */
	readonly notes: readonly ConfigFault[];
}

const MAX_HOPS = 4;
const MAX_FILE_CHARS = 100_000;
const MAX_TOTAL_CHARS = 400_000;
const MAX_FILES = 200;

export async function loadInstructions(options: LoadInstructionsOptions): Promise<LoadedInstructions> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const home = resolve(homeDir);
	const project = await findProject(cwd, home);
	const root = await realpath(project.root).catch(() => project.root);
	const collector = new InstructionCollector(files, home, projectFiles === "trusted" ? undefined : root);
	for (const folder of [".clowder", ".claude"]) await collector.add(join(home, folder, "CLAUDE.md"), "own");
	if (projectFiles === "excluded") return collector;
	for (const folder of pathsUpward(project.cwd).toReversed()) {
		const inProject = folder === project.root || folder.startsWith(`${project.root}/`);
		const origin = folder === home ? "own" : inProject ? "project" : "above";
		const has = await collector.add(join(folder, "CLAUDE.md"), origin);
		if (!has) await collector.add(join(folder, "AGENTS.md"), origin);
		await collector.add(join(folder, ".claude", "CLAUDE.md"), origin);
		await collector.add(join(folder, ".clowder", "CLAUDE.md"), origin);
		await collector.add(join(folder, "CLAUDE.local.md"), origin);
	}
	return collector;
}

/** The sections as one text for a system prompt; empty when there are none. */
export function formatInstructions(sections: readonly InstructionSection[]): string {
	return sections.map((section) => `Contents of ${section.path}:\n\n${section.text}`).join("\n\n");
}

/** `own`: the person's. `project`: came with the working folder. `above`: from a folder above the project. */
type Origin = "own" | "project" | "above";

class InstructionCollector implements LoadedInstructions {
	readonly sections: InstructionSection[] = [];
	readonly notes: ConfigFault[] = [];
	readonly #files: FileCache;
	readonly #homeDir: string;
	/** Set while nobody has vouched for the project: its files may then import nothing from outside it. */
	readonly #confinedTo: string | undefined;
	readonly #seen = new Set<string>();
	#chars = 0;

	constructor(files: FileCache, homeDir: string, confinedTo: string | undefined) {
		this.#files = files;
		this.#homeDir = homeDir;
		this.#confinedTo = confinedTo;
	}

	/** Adds a file and what it imports; false when there is no such file. */
	async add(path: string, origin: Origin): Promise<boolean> {
		return (await this.#add(path, origin, 0, undefined)) !== "missing";
	}

	async #add(path: string, origin: Origin, hop: number, importedBy: string | undefined): Promise<"done" | "missing"> {
		const read = await this.#files.read(path, parseInstructions);
		if (read.kind === "missing") return "missing";
		const real = await realpath(path).catch(() => path);
		// A file reached twice, by a link or a cycle of imports, stands in the prompt once.
		if (this.#seen.has(real)) return "done";
		this.#seen.add(real);
		if (read.kind === "unreadable") this.#note(path, read.reason);
		else if (origin === "project" && !this.#isInside(real)) this.#note(path, OUTSIDE);
		else if (origin === "above" && !(await isOwnersFile(real)))
			this.#note(path, "left out: it belongs to someone else");
		else if (this.#seen.size > MAX_FILES) this.#note(path, `left out: there are more than ${MAX_FILES} files`);
		else {
			this.#take(path, read.value.text, importedBy);
			for (const target of read.value.imports) await this.#import(target, path, origin, hop);
		}
		return "done";
	}

	async #import(target: string, importer: string, origin: Origin, hop: number): Promise<void> {
		if (hop >= MAX_HOPS) {
			return this.#note(importer, `@${target} is not imported: more than ${MAX_HOPS} imports deep`);
		}
		for (const candidate of importCandidates(target)) {
			const path = this.#locate(candidate, importer);
			if ((await this.#add(path, origin, hop + 1, importer)) === "done") return;
		}
		this.#note(importer, `@${target} is not imported: there is no such file`);
	}

	#locate(target: string, importer: string): string {
		if (target.startsWith("~/")) return join(this.#homeDir, target.slice(2));
		return isAbsolute(target) ? target : resolve(dirname(importer), target);
	}

	#isInside(real: string): boolean {
		return this.#confinedTo === undefined || real.startsWith(`${this.#confinedTo}/`);
	}

	#take(path: string, text: string, importedBy: string | undefined): void {
		const room = Math.min(MAX_FILE_CHARS, MAX_TOTAL_CHARS - this.#chars);
		const kept = text.slice(0, Math.max(0, room));
		if (kept.length < text.length) this.#note(path, `cut after ${kept.length} of ${text.length} characters`);
		if (kept.trim() === "") return;
		this.#chars += kept.length;
		this.sections.push({ path, text: kept, ...(importedBy === undefined ? {} : { importedBy }) });
	}

	#note(path: string, reason: string): void {
		this.notes.push({ path, reason });
	}
}

// Anyone may write to a folder like /tmp: above the project only what belongs to the person, or to root, counts.
async function isOwnersFile(path: string): Promise<boolean> {
	const owner = (await stat(path).catch(() => undefined))?.uid;
	return process.getuid === undefined || owner === process.getuid() || owner === 0;
}

const OUTSIDE = "left out: it leads outside the project, which is not trusted yet";

function parseInstructions(text: string): { readonly text: string; readonly imports: readonly string[] } {
	const clean = text.replace(/^\uFEFF/, "").trim();
	return { text: clean, imports: findImports(clean) };
}
