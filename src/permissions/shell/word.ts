// Turns the parser's words into ours: quotes taken off, `~` and $HOME filled in, holes for everything else
// that is known only at run time.

import type { Word, WordPart } from "unbash";
import { concatHoled, type HoledText } from "../rules/holed-text.ts";
import type { ShellAssignment, ShellWord } from "./script.ts";

/** What a word may be filled in with. */
export interface WordContext {
	/** Undefined where the script itself may change HOME. */
	readonly home: string | undefined;
	/** Undefined where the script may have left it. */
	readonly cwd: string | undefined;
}

interface Piece {
	readonly text: HoledText;
	/** As a glob pattern; undefined where it cannot be written as one. */
	readonly glob: string | undefined;
	readonly hole: "none" | "glob" | "output" | "expansion";
	readonly splits: boolean;
}

export function readWord(word: Word, context: WordContext): ShellWord {
	const parts = word.parts;
	const pieces = parts === undefined ? [plainPiece(word.value)] : parts.map((part) => readPart(part, context, false));
	const tilde = readTilde(word, context);
	if (tilde) pieces[0] = tilde;
	const text = concatHoled(pieces.map((piece) => piece.text));
	const isKnown = pieces.every((piece) => piece.hole === "none");
	return {
		raw: word.text,
		text,
		value: isKnown ? text[0] : undefined,
		glob: isKnown ? undefined : joinGlobs(pieces),
		globsOnly: pieces.every((piece) => piece.hole === "none" || piece.hole === "glob"),
		isOutput: !isKnown && pieces.every((piece) => piece.hole === "none" || piece.hole === "output"),
		splits: pieces.some((piece) => piece.splits),
		disguised: isDisguised(word),
	};
}

/** An assignment that stands among a command's arguments (`export A=1`). */
export function wordOfAssignment(assignment: ShellAssignment): ShellWord {
	const { name, raw, value } = assignment;
	if (value === undefined) return { ...UNKNOWN_WORD, raw, text: [name, ""] };
	const text = concatHoled([[raw.startsWith(`${name}+=`) ? `${name}+=` : `${name}=`], value.text]);
	return { ...value, raw, text, value: value.value === undefined ? undefined : text[0] };
}

/** A word that was never written: text that a command will add at run time. */
export const UNKNOWN_WORD: ShellWord = {
	raw: "…",
	text: ["", ""],
	value: undefined,
	glob: undefined,
	globsOnly: false,
	isOutput: false,
	splits: true,
	disguised: false,
};

/** The word without its first characters, e.g. what stands behind `of=`. */
export function dropStart(word: ShellWord, length: number): ShellWord {
	const [first, ...rest] = word.text;
	const value = word.value?.slice(length);
	return { ...word, raw: value ?? word.raw, text: [first.slice(length), ...rest], value, glob: undefined };
}

export function plainWord(value: string): ShellWord {
	return {
		...{ raw: value, text: [value], value, glob: undefined },
		...{ globsOnly: true, isOutput: false, splits: false, disguised: false },
	};
}

function readPart(part: WordPart, context: WordContext, quoted: boolean): Piece {
	switch (part.type) {
		case "Literal":
		case "SingleQuoted":
			return plainPiece(part.value);
		case "AnsiCQuoted":
			// bash cuts it at a null and keeps a line break after a backslash; better not to know it at all.
			return part.value.includes("\0") || part.text.includes("\\\n")
				? hole("expansion", false)
				: plainPiece(part.value);
		case "DoubleQuoted":
			return joinPieces(part.parts.map((inner) => readPart(inner, context, true)));
		case "Glob":
		case "ExtendedGlob":
			return globWithParts(part);
		case "SimpleExpansion":
		case "ParameterExpansion":
			return readVariable(part, context, quoted);
		case "CommandExpansion":
		case "ProcessSubstitution":
			return hole("output", !quoted);
		default:
			return hole("expansion", !quoted);
	}
}

function readVariable(part: WordPart, context: WordContext, quoted: boolean): Piece {
	const name = /^\$(?:(HOME|PWD)|\{(HOME|PWD)\})$/.exec(part.text)?.slice(1).join("");
	const value = name === "HOME" ? context.home : name === "PWD" ? context.cwd : undefined;
	// "$@" makes several words even inside quotes.
	const several = /[@*]/.test(part.text);
	return value === undefined ? hole("expansion", !quoted || several) : plainPiece(value);
}

function globWithParts(part: WordPart): Piece {
	const dynamic = "parts" in part && part.parts?.some((inner) => inner.type !== "Literal" && inner.type !== "Glob");
	if (dynamic) return hole("expansion", true);
	return { ...hole("glob", false), glob: part.type === "Glob" ? part.text : undefined };
}

// Only an unquoted tilde-prefix counts; any quote in it makes it text that we do not try to read.
function readTilde(word: Word, context: WordContext): Piece | undefined {
	if (!word.text.startsWith("~")) return undefined;
	const first = word.parts?.[0];
	const literal = first === undefined ? word.value : first.type === "Literal" ? first.value : "";
	const slash = literal.indexOf("/");
	const prefix = slash < 0 ? literal : literal.slice(0, slash);
	const isWhole = slash >= 0 || word.parts === undefined || word.parts.length === 1;
	const isPlain = isWhole && !word.text.slice(0, prefix.length + 1).includes("\\");
	if (prefix !== "~" || !isPlain || context.home === undefined) return hole("expansion", false);
	return plainPiece(context.home + literal.slice(1));
}

function isDisguised(word: Word): boolean {
	if (word.text === word.value) return false;
	const parts = word.parts;
	const whole = parts?.length === 1 && (parts[0]?.type === "SingleQuoted" || parts[0]?.type === "DoubleQuoted");
	return !whole;
}

function joinPieces(pieces: readonly Piece[]): Piece {
	return {
		text: concatHoled(pieces.map((piece) => piece.text)),
		glob: joinGlobs(pieces),
		hole: pieces
			.map((piece) => piece.hole)
			.reduce((one, other) => (one === "none" || one === other ? other : other === "none" ? one : "expansion"), "none"),
		splits: pieces.some((piece) => piece.splits),
	};
}

function joinGlobs(pieces: readonly Piece[]): string | undefined {
	return pieces.every((piece) => piece.glob !== undefined) ? pieces.map((piece) => piece.glob).join("") : undefined;
}

function plainPiece(value: string): Piece {
	return { text: [value], glob: value.replace(/[\\*?[\]]/g, "\\$&"), hole: "none", splits: false };
}

function hole(kind: "glob" | "output" | "expansion", splits: boolean): Piece {
	return { text: ["", ""], glob: undefined, hole: kind, splits };
}
