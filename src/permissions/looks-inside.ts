// Whether a bash command is as harmless as a read-only tool: it can change nothing, and every word of it that may be a
// path leads to a place inside the workspace that no rule is about. What is not certain is not so.

import type { BashFacts } from "./bash-facts.ts";
import { expandGlob } from "./paths/expand-glob.ts";
import { isInside, type Place, placeOf } from "./paths/place.ts";
import { meetBash } from "./rules/meet-bash.ts";
import { coversTool } from "./rules/selector.ts";
import { judgeReadOnly } from "./shell/read-only/judge.ts";
import { patternWord, showsNoContents, unaskedWords } from "./shell/read-only/unasked.ts";
import type { ShellCommand, ShellWord } from "./shell/script.ts";
import type { TouchedFile } from "./shell/touched-files.ts";
import type { Situation } from "./situation.ts";

export function looksInside(situation: Situation, facts: BashFacts): boolean {
	const { analysis, refused } = facts;
	const { folders, context } = situation;
	if (refused !== undefined || judgeReadOnly(analysis) !== undefined || analysis.folders.unknown) return false;
	const { known } = analysis.folders;
	if (!known.every((folder) => isInside(placeOf(folder, "/", context.files), folders, context.files))) return false;

	const rules = [...situation.deny, ...situation.ask];
	const hides = rules.some((rule) => coversTool(rule, "read_file"));
	const places: Place[] = [];
	for (const command of analysis.commands) {
		const found = placesOf(command, known, situation);
		if (found === undefined || (hides && isGit(command) && !showsNoContents(command))) return false;
		if (isGit(command) && (known.length > 1 || isBareRepository(situation))) return false;
		places.push(...found);
	}
	for (const redirect of analysis.redirects) {
		if (redirect.access !== "read" || redirect.target === undefined) continue;
		const found = placesOfWord(redirect.target, known, situation);
		if (found === undefined) return false;
		places.push(...found);
	}
	if (!places.every((place) => isInside(place, folders, context.files) && !isOfSystem(place))) return false;
	return meetBash(rules, { ...facts, touched: places.map(asRead) }, context) === undefined;
}

// Who works in `/` has all of that inside: the environments of processes, devices that wait.
const isOfSystem = ({ forms }: Place) => forms.some((form) => /^\/(?:proc|dev|sys)(?:\/|$)/.test(form));

const isGit = (command: ShellCommand) => unaskedWords(command) === "git";

const asRead = (place: Place): TouchedFile => ({
	access: "read",
	shown: place.written,
	byRedirect: false,
	places: [place],
	unknown: false,
	recursive: false,
});

/** Everywhere its words may lead, or undefined where that cannot be told or is not to be told. */
function placesOf(command: ShellCommand, from: readonly string[], situation: Situation): Place[] | undefined {
	const words = unaskedWords(command);
	if (command.words.length === 0) return [];
	if (words === undefined) return undefined;
	const args = command.words.slice(1);
	if (words === "text" && args.every((word) => word.value !== undefined)) return [];
	const pattern = words === "pattern" ? patternWord(command) : undefined;
	const places: Place[] = [];
	for (const word of args) {
		const found = placesOfWord(word, from, situation);
		if (found === undefined) return undefined;
		// A pattern names no file, unless there is one: then it may be no pattern after all (`rg --files /etc`).
		if (word !== pattern || found.some((place) => exists(place, situation))) places.push(...found);
	}
	const isDiff = command.words[0]?.value?.endsWith("diff") === true;
	return isDiff && places.some((place) => isFolder(place, situation)) ? undefined : places;
}

function placesOfWord(word: ShellWord, from: readonly string[], { context }: Situation): Place[] | undefined {
	const { files } = context;
	const places: Place[] = [];
	for (const folder of from) {
		const paths = word.value === undefined ? globPaths(word, folder, context.files) : readingsOf(word.value);
		if (paths === undefined) return undefined;
		places.push(...paths.map((path) => placeOf(path, folder, files)));
	}
	return places;
}

// A name that begins with a dash would be taken for an option.
function globPaths(
	{ glob }: ShellWord,
	folder: string,
	files: Situation["context"]["files"],
): readonly string[] | undefined {
	const paths = glob === undefined ? undefined : expandGlob(glob, folder, files);
	if (paths === undefined || /^[./]/.test(glob ?? "")) return paths;
	const asWritten = (path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);
	return paths.some((path) => asWritten(path).startsWith("-")) ? undefined : paths;
}

/** What the word may name: itself, the value of an option with or without `=`, and what stands behind a colon of git. */
function readingsOf(value: string): readonly string[] {
	const readings = new Set([value]);
	if (value.startsWith("--")) readings.add(value.slice(value.indexOf("=") + 1));
	else if (value.startsWith("-")) for (let at = 2; at < value.length; at += 1) readings.add(value.slice(at));
	for (const reading of [...readings]) {
		for (let at = reading.indexOf(":"); at >= 0; at = reading.indexOf(":", at + 1)) readings.add(reading.slice(at + 1));
	}
	return [...readings].filter((reading) => reading !== "");
}

function exists({ forms }: Place, { context }: Situation): boolean {
	return forms.some((form) => context.files.kindOf(form) !== "missing");
}

function isFolder({ forms }: Place, { context }: Situation): boolean {
	return forms.some((form) => context.files.kindOf(form) === "folder");
}

// A folder that is a repository by itself makes git run the programs that its settings name, and anybody's archive may
// hold one.
function isBareRepository({ call, context }: Situation): boolean {
	const has = (name: string) => context.files.kindOf(`${call.cwd}/${name}`) !== "missing";
	return has("HEAD") && has("objects") && has("refs") && !has(".git");
}
