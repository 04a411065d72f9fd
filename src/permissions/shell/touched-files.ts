// Every file that a bash command reads or writes as far as its text tells: by redirection, or as an operand
// of a command that is known to. Resolved against every folder the script may be standing in.

import { expandGlob } from "../paths/expand-glob.ts";
import { type PathContext, type Place, placeOf } from "../paths/place.ts";
import type { ShellAnalysis } from "./analysis.ts";
import { fileOperands } from "./file-operands.ts";
import type { ShellWord } from "./script.ts";

export interface TouchedFile {
	readonly access: "read" | "edit";
	/** As written, for messages. */
	readonly shown: string;
	readonly byRedirect: boolean;
	readonly places: readonly Place[];
	/** It may be other places too. */
	readonly unknown: boolean;
	/** Goes into folders. */
	readonly recursive: boolean;
}

/** Beyond these, where a file is is not looked up: that would hold up everything else on this thread. */
const MAX_PLACES = 3_000;

/** Targets that are no files. */
const NO_FILES = /^\/dev\/(?:null|zero|tty)$/;
/** Names of open files. Without a file that the script itself opens, the first three are those of its agent. */
const DESCRIPTORS = /^\/(?:dev\/(?:fd\/|std)|proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/;
const OWN_DESCRIPTORS = /^\/dev\/(?:stdin|stdout|stderr|fd\/[012])$/;

export function touchedFiles(analysis: ShellAnalysis, context: PathContext): TouchedFile[] {
	const touched: TouchedFile[] = [];
	let left = MAX_PLACES;
	const opens = analysis.redirects.some((redirect) => redirect.access === "read");
	const add = (access: "read" | "edit", word: ShellWord, byRedirect: boolean, recursive: boolean) => {
		const { value } = word;
		if (value !== undefined && (NO_FILES.test(value) || (!opens && OWN_DESCRIPTORS.test(value)))) return;
		if (value !== undefined && DESCRIPTORS.test(value)) {
			touched.push({ access, shown: word.raw, byRedirect, recursive, places: [], unknown: true });
			return;
		}
		const located = left > 0 ? locate(word, analysis, context) : { places: [], unknown: true };
		left -= located.places.length;
		touched.push({ access, shown: word.raw, byRedirect, recursive, ...located });
	};
	for (const redirect of analysis.redirects) {
		if (redirect.access === "descriptor" || redirect.target === undefined) continue;
		add(redirect.access === "write" ? "edit" : "read", redirect.target, true, false);
	}
	for (const command of analysis.commands) {
		for (const operand of fileOperands(command)) add(operand.access, operand.word, false, operand.recursive);
	}
	return touched;
}

function locate(
	word: ShellWord,
	analysis: ShellAnalysis,
	context: PathContext,
): Pick<TouchedFile, "places" | "unknown"> {
	const { known, unknown } = analysis.folders;
	const isAbsolute = word.text[0].startsWith("/");
	const places: Place[] = [];
	for (const folder of isAbsolute ? known.slice(0, 1) : known) {
		const paths = pathsOf(word, folder, context);
		if (paths === undefined) return { places: [], unknown: true };
		for (const path of paths) places.push(placeOf(path, folder, context.files));
	}
	return { places, unknown: unknown && !isAbsolute };
}

function pathsOf(word: ShellWord, folder: string, context: PathContext): readonly string[] | undefined {
	if (word.value !== undefined) return [word.value];
	return word.glob === undefined ? undefined : expandGlob(word.glob, folder, context.files);
}
