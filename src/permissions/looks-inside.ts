// Whether a bash command is as harmless as a read-only tool: it can change nothing, and every word of it that may be a
// path leads to a place inside the workspace that no rule is about. What is not certain is not so.

import type { BashFacts } from "./bash-facts.ts";
import { expandGlob } from "./paths/expand-glob.ts";
import { mayObeyForeignSettings } from "./paths/git-folder.ts";
import { isInside, type Place, placeOf } from "./paths/place.ts";
import { meetBash } from "./rules/meet-bash.ts";
import { coversTool } from "./rules/selector.ts";
import { judgeReadOnly } from "./shell/read-only/judge.ts";
import { patternWord, showsNoContents, unaskedWords } from "./shell/read-only/unasked.ts";
import type { ShellCommand, ShellWord } from "./shell/script.ts";
import type { TouchedFile } from "./shell/touched-files.ts";
import type { Situation } from "./situation.ts";

/** What is longer, or leads to more places, is asked about: to judge it would hold up everything else on this thread. */
const MAX_LENGTH = 4_096;
const MAX_PLACES = 2_000;
const MAX_READINGS = 64;

export function looksInside(situation: Situation, facts: BashFacts): boolean {
	const { analysis, refused } = facts;
	const { folders, context } = situation;
	if (refused !== undefined || judgeReadOnly(analysis) !== undefined || analysis.folders.unknown) return false;
	const { known } = analysis.folders;
	if (!known.every((folder) => isInside(placeOf(folder, "/", context.files), folders, context.files))) return false;

	const rules = [...situation.deny, ...situation.ask];
	const hides = rules.some((rule) => coversTool(rule, "read_file"));
	for (const command of analysis.commands.filter(isGit)) {
		if (hides && !showsNoContents(command)) return false;
		if (known.length > 1 || mayObeyForeignSettings(situation.call.cwd, context.files)) return false;
	}
	const places = allPlaces(situation, facts);
	if (!places?.every((place) => isInside(place, folders, context.files) && !isOfSystem(place, situation))) return false;
	return meetBash(rules, { ...facts, touched: places.map(asRead) }, context) === undefined;
}

/** Everywhere it may look; undefined where that cannot be told, or only at length. */
function allPlaces(situation: Situation, { analysis }: BashFacts): readonly Place[] | undefined {
	if (analysis.source.length > MAX_LENGTH) return undefined;
	const { known } = analysis.folders;
	const loops = loopVariables(analysis);
	const words = [
		...analysis.loopWords,
		...analysis.otherWords,
		...analysis.redirects.flatMap(({ access, target }) => (access === "read" && target ? [target] : [])),
	];
	const places: Place[] = [];
	const parts = [
		...analysis.commands.map((command) => () => placesOf(command, known, situation, loops)),
		...words.map((word) => () => placesOfWord(word, known, situation, loops)),
	];
	for (const part of parts) {
		const found = part();
		if (found === undefined || places.length + found.length > MAX_PLACES) return undefined;
		places.push(...found);
	}
	return places;
}

// Who works in `/` has all of that inside: the environments of processes. Devices and pipes can wait for ever.
function isOfSystem({ forms }: Place, { context }: Situation): boolean {
	return forms.some((form) => /^\/(?:proc|dev|sys)(?:\/|$)/.test(form) || context.files.kindOf(form) === "special");
}

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
function placesOf(
	command: ShellCommand,
	from: readonly string[],
	situation: Situation,
	loops: LoopVariables,
): Place[] | undefined {
	const words = unaskedWords(command);
	if (command.words.length === 0) return [];
	if (words === undefined) return undefined;
	const args = command.words.slice(1);
	if (words === "text" && args.every((word) => isShown(word, loops))) return [];
	const pattern = words === "pattern" ? patternWord(command) : undefined;
	const places: Place[] = [];
	for (const word of args) {
		const found = isDescriptor(word) ? [] : placesOfWord(word, from, situation, loops);
		if (found === undefined || places.length > MAX_PLACES) return undefined;
		// A pattern names no file, unless there is one: then it may be no pattern after all (`rg --files /etc`).
		if (word !== pattern || found.some((place) => exists(place, situation))) places.push(...found);
	}
	const isDiff = command.words[0]?.value?.endsWith("diff") === true;
	return isDiff && places.some((place) => isFolder(place, situation)) ? undefined : places;
}

/** `<(sort a)`: what a command prints that is looked at by itself. */
const isDescriptor = (word: ShellWord) => word.isOutput && /^[<>]\(/.test(word.raw) && word.text.join("") === "";

interface LoopVariables {
	/** They stand for nothing but the words of a loop, or a line of a file, which are looked at where they come from. */
	readonly shown: ReadonlySet<string>;
	/** Of these, those that stand for a whole word of a loop; `bare`: also without quotes. */
	readonly words: ReadonlySet<string>;
	readonly bare: boolean;
	/** What they stand for. */
	readonly values: readonly ShellWord[];
}

function loopVariables({ variables, loopWords, commands }: BashFacts["analysis"]): LoopVariables {
	const isTame = (word: ShellWord) => (word.value === undefined ? word.globsOnly : !/^[-+]/.test(word.value));
	// Before it is set, such a name stands for what the environment has of it: nothing where it is so short.
	const short = (names: readonly (string | undefined)[]) => names.filter((name) => /^[a-z]{1,12}$/.test(name ?? ""));
	const read = commands.flatMap(({ words }) => (words[0]?.value === "read" ? words.slice(1) : []));
	const ofRead = short(read.map(({ value }) => value)) as string[];
	const isByLoop = loopWords.every(isTame) && variables.every(({ byLoop }) => byLoop);
	const ofLoop = isByLoop ? (short(variables.map(({ name }) => name)) as string[]) : [];
	return {
		shown: new Set([...ofLoop, ...ofRead]),
		words: new Set(ofLoop.filter((name) => !ofRead.includes(name))),
		bare: loopWords.every(({ value }) => value !== undefined && !/[\s*?[\]]/.test(value)),
		values: loopWords,
	};
}

const variableOf = ({ raw }: ShellWord) => /^("?)\$(?:(\w+)|\{(\w+)\})\1$/.exec(raw);

function isOfLoop(word: ShellWord, { words, bare }: LoopVariables): boolean {
	const found = variableOf(word);
	return words.has(found?.[2] ?? found?.[3] ?? "") && (bare || found?.[1] === '"');
}

/** What a command that only prints its words may be given. Without quotes, what it becomes may be a pattern. */
function isShown(word: ShellWord, loops: LoopVariables): boolean {
	const found = variableOf(word);
	const isVariable = loops.shown.has(found?.[2] ?? found?.[3] ?? "");
	return word.value !== undefined || (!word.splits && (word.isOutput || isVariable)) || isOfLoop(word, loops);
}

function placesOfWords(
	words: readonly ShellWord[],
	from: readonly string[],
	situation: Situation,
	loops: LoopVariables,
): Place[] | undefined {
	const places: Place[] = [];
	for (const word of words) {
		const found = placesOfWord(word, from, situation, loops);
		if (found === undefined || places.length + found.length > MAX_PLACES) return undefined;
		places.push(...found);
	}
	return places;
}

function placesOfWord(
	word: ShellWord,
	from: readonly string[],
	situation: Situation,
	loops: LoopVariables,
): Place[] | undefined {
	if (isOfLoop(word, loops)) return placesOfWords(loops.values, from, situation, { ...loops, words: new Set() });
	const { files } = situation.context;
	const places: Place[] = [];
	for (const folder of from) {
		const paths = word.value === undefined ? globPaths(word, folder, files) : readingsOf(word.value);
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

/**
 * What the word may name: itself, the value of an option with or without `=`, and what stands behind a colon of git.
 * Undefined when that is too much to look at.
 */
function readingsOf(value: string): readonly string[] | undefined {
	const readings = new Set([value]);
	if (value.startsWith("--")) readings.add(value.slice(value.indexOf("=") + 1));
	else if (value.startsWith("-")) {
		if (value.length > MAX_READINGS) return undefined;
		for (let at = 2; at < value.length; at += 1) readings.add(value.slice(at));
	}
	for (const reading of [...readings]) {
		for (let at = reading.indexOf(":"); at >= 0; at = reading.indexOf(":", at + 1)) {
			readings.add(reading.slice(at + 1));
			if (readings.size > MAX_READINGS) return undefined;
		}
	}
	return [...readings].filter((reading) => reading !== "");
}

function exists({ forms }: Place, { context }: Situation): boolean {
	return forms.some((form) => context.files.kindOf(form) !== "missing");
}

function isFolder({ forms }: Place, { context }: Situation): boolean {
	return forms.some((form) => context.files.kindOf(form) === "folder");
}
