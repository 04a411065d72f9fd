// Whether rm or find would remove the root, the home folder, or everything in one of them.

import { posix } from "node:path";
import { type PathContext, placeOf } from "../paths/place.ts";
import { type HoledText, matchesText } from "../rules/holed-text.ts";
import type { ShellAnalysis } from "./analysis.ts";
import { commandName } from "./command-name.ts";
import { findStarts } from "./file-operands.ts";
import type { RefusedVerdict } from "./refused-verdict.ts";
import type { ShellCommand, ShellWord } from "./script.ts";

export function judgeRemoval(
	command: ShellCommand,
	analysis: ShellAnalysis,
	context: PathContext,
): RefusedVerdict | undefined {
	const isFind = commandName(command)?.endsWith("find") === true;
	if (isFind && !findRemoves(command)) return undefined;
	const targets = isFind ? findStarts(command) : command.words.slice(1).filter(isOperand);
	const verdicts = targets.map((word) => judgeTarget(word, isFind || isRecursive(command, word), analysis, context));
	return verdicts.find((each) => each?.verdict === "refused") ?? verdicts.find((each) => each !== undefined);
}

function judgeTarget(
	word: ShellWord,
	recursive: boolean,
	analysis: ShellAnalysis,
	context: PathContext,
): RefusedVerdict | undefined {
	const shown = `${word.raw}, which is the root or a home folder`;
	if (isSomeonesHome(word.raw)) return { verdict: "refused", reason: `it removes ${shown}` };
	const isKnown = word.value !== undefined || word.globsOnly;
	const hits = analysis.folders.known.some((folder) => hitsGuarded(word, folder, context));
	if (hits && isKnown) return { verdict: "refused", reason: `it removes ${shown}` };
	const strays = analysis.folders.unknown && !word.text[0].startsWith("/");
	if (!recursive || !(hits || strays)) return undefined;
	return { verdict: "unsure", reason: `it is not known what it removes: ${word.raw}` };
}

function hitsGuarded(word: ShellWord, folder: string, context: PathContext): boolean {
	const base = stripContents(absolute(word, folder));
	const guarded = guardedFolders(context.homeDir);
	if (base.length > 1)
		return guarded.some((guard) => matchesText(base, guard === "/" ? "" : guard) || matchesText(base, guard));
	return placeOf(base[0] || "/", folder, context.files).forms.some((form) => guarded.includes(form));
}

// The root, the home folder, and every folder that holds the home folder.
function guardedFolders(homeDir: string): string[] {
	const folders = ["/"];
	for (let path = posix.resolve(homeDir); path !== "/"; path = posix.dirname(path)) folders.push(path);
	return folders;
}

function absolute(word: ShellWord, folder: string): HoledText {
	const [first, ...rest] = word.text;
	if (rest.length === 0) return [posix.resolve(folder, first)];
	// With nothing known before it, an expansion may hold the whole path.
	if (first === "" && !word.globsOnly) return word.text;
	const cut = first.lastIndexOf("/") + 1;
	const start = posix.resolve(folder, first.slice(0, cut) || ".");
	return [`${start === "/" ? "" : start}/${first.slice(cut)}`, ...rest];
}

// Removing `/*` or `/*/*` leaves nothing of `/`: whole segments of holes at the end are cut off.
function stripContents(path: HoledText): HoledText {
	const pieces = [...path];
	const trim = () => {
		let end = pieces.at(-1) ?? "";
		while (end.endsWith("/")) end = end.slice(0, -1);
		pieces[pieces.length - 1] = end;
	};
	trim();
	while (pieces.length > 1 && pieces.at(-1) === "" && (pieces.at(-2) ?? "").endsWith("/")) {
		pieces.pop();
		trim();
	}
	const [first = "", ...rest] = pieces;
	return [first, ...rest];
}

// `~`, `~root/`, `~/*`: whoever's it is. In two steps, so that no text makes the expression slow.
function isSomeonesHome(raw: string): boolean {
	if (!raw.startsWith("~")) return false;
	const slash = raw.indexOf("/");
	return slash < 0 || /^[/*?.]*$/.test(raw.slice(slash));
}

function isOperand(word: ShellWord): boolean {
	return !/^-./.test(word.text[0]);
}

// Another word that is not known may be the option, and so may a part of this one.
function isRecursive(command: ShellCommand, target: ShellWord): boolean {
	const others = command.words.slice(1).filter((word) => word !== target);
	const unknown = (word: ShellWord) => word.text[0] === "" && word.value === undefined && !word.globsOnly;
	return (
		others.some((word) => /^-[a-zA-Z]*[rR]|^--r/.test(word.text[0]) || unknown(word)) ||
		(target.splits && unknown(target))
	);
}

function findRemoves(command: ShellCommand): boolean {
	const args = command.words.slice(1);
	return args.some(
		(word, at) =>
			word.value === "-delete" ||
			(/^-(?:exec|ok)/.test(word.value ?? "") && /(?:^|\/)rm$/.test(args[at + 1]?.value ?? "")),
	);
}
