// Finds skills: folders with a SKILL.md, in the project and in the home folder. The nearest of a name wins.

import { basename, join } from "node:path";
import type { TemplatePart } from "./command-template.ts";
import { expandArguments, expandTemplate } from "./expand-arguments.ts";
import type { ConfigFault } from "./fault.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import type { FrontMatterField } from "./front-matter-lenient.ts";
import { listFolders } from "./list-files.ts";
import { type ConfigPlace, configPlaces, type ProjectFiles } from "./project-folders.ts";
import { flagField, namesField, textField } from "./prompt-fields.ts";

export interface Skill {
	readonly name: string;
	/** When to use it; goes into the catalog. */
	readonly description: string;
	/** The instructions, without front matter. */
	readonly body: string;
	/** The skill's folder, absolute: what its instructions refer to is in there. */
	readonly folder: string;
	readonly path: string;
	readonly source: ConfigPlace["kind"];
	/** Tools it may use without asking, as written; empty for a project nobody has vouched for. */
	readonly allowedTools: readonly string[];
	readonly model?: string;
	readonly argumentHint?: string;
	/** The model may load it by itself. */
	readonly modelInvocable: boolean;
	/** A person may call it as `/name`. */
	readonly userInvocable: boolean;
}

export interface PromptFilesOptions {
	readonly cwd: string;
	readonly homeDir: string;
	/** @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	readonly files?: FileCache;
}

export interface LoadedSkills {
	readonly skills: readonly Skill[];
	readonly faults: readonly ConfigFault[];
}

const SKILL_FIELDS: ReadonlySet<string> = new Set([
	"name",
	"description",
	"allowed-tools",
	"model",
	"disable-model-invocation",
	"user-invocable",
	"argument-hint",
]);

export async function loadSkills(options: PromptFilesOptions): Promise<LoadedSkills> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const skills = new Map<string, Skill>();
	const faults: ConfigFault[] = [];
	for (const place of await configPlaces({ cwd, homeDir, projectFiles, name: "skills" })) {
		const found = await listFolders(place.path);
		faults.push(...found.faults);
		for (const folder of found.paths) {
			const path = join(folder, "SKILL.md");
			const read = await files.read(path, parseSkillFile);
			if (read.kind === "missing") continue;
			if (read.kind === "unreadable") faults.push({ path, reason: `refused: ${read.reason}` });
			else if (read.value.kind === "bad") {
				faults.push({ path, line: read.value.line, reason: `refused: ${read.value.reason}` });
			} else {
				const skill = toSkill(read.value, folder, place, faults);
				if (!skill || skills.has(skill.name)) continue;
				const limited = place.kind === "project" && projectFiles === "untrusted";
				skills.set(skill.name, limited ? { ...skill, allowedTools: [] } : skill);
			}
		}
	}
	return { skills: [...skills.values()], faults };
}

const parseSkillFile = (text: string): FrontMatter => readFrontMatter(text, SKILL_FIELDS);

function toSkill(
	matter: Exclude<FrontMatter, { kind: "bad" }>,
	folder: string,
	place: ConfigPlace,
	faults: ConfigFault[],
): Skill | undefined {
	const path = join(folder, "SKILL.md");
	const fields: ReadonlyMap<string, FrontMatterField> = matter.kind === "read" ? matter.fields : new Map();
	const name = textField(fields, "name") || basename(folder);
	const description = textField(fields, "description") || firstParagraph(matter.body);
	if (description === "") {
		faults.push({ path, reason: "refused: it has neither a description nor any text" });
		return undefined;
	}
	const model = textField(fields, "model");
	const argumentHint = textField(fields, "argument-hint");
	return {
		name,
		description,
		body: matter.body,
		folder,
		path,
		source: place.kind,
		allowedTools: namesField(fields, "allowed-tools", path, faults),
		...(model === undefined ? {} : { model }),
		...(argumentHint === undefined ? {} : { argumentHint }),
		modelInvocable: !flagField(fields, "disable-model-invocation", false),
		userInvocable: flagField(fields, "user-invocable", true),
	};
}

/** The catalog for a system prompt: what the model may load by itself, a line each; empty when there is nothing. */
export function formatSkillCatalog(skills: readonly Skill[]): string {
	return skills
		.filter((skill) => skill.modelInvocable)
		.map((skill) => `- ${skill.name}: ${skill.description.replace(/\s+/g, " ")}`)
		.join("\n");
}

/** A skill's text for the model, with the arguments it was called with. */
export function renderSkill(skill: Skill, typed = ""): string {
	return baseLine(skill) + expandArguments(bodyOf(skill), typed);
}

/** The same for a person who calls it: with the commands whose output belongs in it. */
export function expandSkill(skill: Skill, typed: string): readonly TemplatePart[] {
	return [{ kind: "text", text: baseLine(skill) }, ...expandTemplate(bodyOf(skill), typed)];
}

function baseLine({ folder }: Skill): string {
	return `Base directory for this skill: ${folder}\n\n`;
}

function bodyOf({ body, folder }: Skill): string {
	return body.replace(/\$\{(?:CLAUDE|CLOWDER)_SKILL_DIR\}/g, () => folder);
}

/** The first lines of prose, headings left out, as one line. */
export function firstParagraph(body: string): string {
	const paragraph = body
		.split(/\n\s*\n/)
		.map((part) => part.replace(/^#.*$/gm, "").trim())
		.find((part) => part !== "");
	return (paragraph ?? "").replace(/\s+/g, " ").slice(0, 400);
}
