// Finds slash commands: Markdown files below `commands`. A folder is part of the name: `git/commit.md` is `/git:commit`.

import { relative, sep } from "node:path";
import type { ConfigFault } from "./fault.ts";
import { createFileCache } from "./file-cache.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import type { FrontMatterField } from "./front-matter-lenient.ts";
import { listMarkdownFiles } from "./list-files.ts";
import { type ConfigPlace, configPlaces } from "./project-folders.ts";
import { flagField, namesField, textField } from "./prompt-fields.ts";
import { firstParagraph, type PromptFilesOptions } from "./skills.ts";
import { withheldText } from "./withheld.ts";

export interface SlashCommand {
	/** Without the slash. */
	readonly name: string;
	readonly description: string;
	/** The prompt; `expandArguments` puts the arguments in. */
	readonly template: string;
	readonly path: string;
	readonly source: ConfigPlace["kind"];
	readonly allowedTools: readonly string[];
	readonly model?: string;
	readonly argumentHint?: string;
	readonly modelInvocable: boolean;
}

export interface LoadedCommands {
	readonly commands: readonly SlashCommand[];
	readonly faults: readonly ConfigFault[];
	/** What waits for the person's trust in the folder. */
	readonly withheld: readonly string[];
}

const COMMAND_FIELDS: ReadonlySet<string> = new Set([
	"description",
	"allowed-tools",
	"model",
	"disable-model-invocation",
	"argument-hint",
]);

/** The commands of the home folder, and of the project once it is trusted. The nearest of a name wins. */
export async function loadCommands(options: PromptFilesOptions): Promise<LoadedCommands> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const commands = new Map<string, SlashCommand>();
	const faults: ConfigFault[] = [];
	const withheld: string[] = [];
	for (const place of await configPlaces({ cwd, homeDir, projectFiles, name: "commands" })) {
		const found = await listMarkdownFiles(place.path);
		if (place.kind === "project" && projectFiles === "untrusted") {
			const names = found.paths.map((path) => relative(place.path, path));
			if (names.length > 0) withheld.push(withheldText("command", names, place.path));
			continue;
		}
		faults.push(...found.faults);
		for (const path of found.paths) {
			const read = await files.read(path, parseCommandFile);
			if (read.kind === "missing") continue;
			if (read.kind === "unreadable") faults.push({ path, reason: `refused: ${read.reason}` });
			else if (read.value.kind === "bad") {
				faults.push({ path, line: read.value.line, reason: `refused: ${read.value.reason}` });
			} else {
				const command = toCommand(read.value, path, place, faults);
				if (command && !commands.has(command.name)) commands.set(command.name, command);
			}
		}
	}
	return { commands: [...commands.values()], faults, withheld };
}

const parseCommandFile = (text: string): FrontMatter => readFrontMatter(text, COMMAND_FIELDS);

function toCommand(
	matter: Exclude<FrontMatter, { kind: "bad" }>,
	path: string,
	place: ConfigPlace,
	faults: ConfigFault[],
): SlashCommand | undefined {
	const name = relative(place.path, path).replace(/\.md$/i, "").split(sep).join(":");
	if (/\s/.test(name)) {
		faults.push({ path, reason: "refused: a command's file and folders may have no blank in their names" });
		return undefined;
	}
	if (matter.body === "") {
		faults.push({ path, reason: "refused: it has no text" });
		return undefined;
	}
	const fields: ReadonlyMap<string, FrontMatterField> = matter.kind === "read" ? matter.fields : new Map();
	const model = textField(fields, "model");
	const argumentHint = textField(fields, "argument-hint");
	return {
		name,
		description: textField(fields, "description") ?? (firstParagraph(matter.body) || name),
		template: matter.body,
		path,
		source: place.kind,
		allowedTools: namesField(fields, "allowed-tools", path, faults),
		...(model === undefined ? {} : { model }),
		...(argumentHint === undefined ? {} : { argumentHint }),
		modelInvocable: !flagField(fields, "disable-model-invocation", false),
	};
}
