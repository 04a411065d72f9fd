// What the parser hands on: a script as flat lists of what it runs, writes and sets, at every depth.
// Types only. Nothing here decides anything.

import type { HoledText } from "../rules/holed-text.ts";

/** One word as written, and as far as it is known before it runs. */
export interface ShellWord {
	/** Source text, quotes and all. */
	readonly raw: string;
	/** Its value with holes for expansions, globs and whatever else is settled at run time. */
	readonly text: HoledText;
	/** The value, when it has no holes. */
	readonly value: string | undefined;
	/** The word as a glob pattern, when it has holes and globs make them all. */
	readonly glob: string | undefined;
	/** Its holes are globs only: they stand for names that exist, not for anything at all. */
	readonly globsOnly: boolean;
	/** Its holes are what commands print that the script itself names. */
	readonly isOutput: boolean;
	/** Can become more than one word, or none (unquoted expansion, brace). */
	readonly splits: boolean;
	/** Spelled with quotes or backslashes inside (`s\udo`, `'su'do`): neither plain nor quoted as a whole. */
	readonly disguised: boolean;
}

export interface ShellAssignment {
	readonly name: string;
	/** Source text, e.g. `CI=1`. */
	readonly raw: string;
	readonly value: ShellWord | undefined;
	/** The variable of `for` or `select`. */
	readonly byLoop: boolean;
}

export interface ShellRedirect {
	readonly operator: string;
	readonly target: ShellWord | undefined;
	readonly access: "read" | "write" | "descriptor";
}

/** Where a command's standard input comes from: a shell runs what it reads there. */
export type ShellInput =
	| { readonly from: "outside" }
	/** `command` is absent where the writer is not one simple command. */
	| { readonly from: "pipe"; readonly command?: ShellCommand }
	/** A here-document or here-string; `known` is false where parts of it are settled at run time. */
	| { readonly from: "text"; readonly text: string; readonly known: boolean }
	| { readonly from: "file" };

/** A simple command. */
export interface ShellCommand {
	readonly assignments: readonly ShellAssignment[];
	/** The name first; empty when there are only assignments or redirections. */
	readonly words: readonly ShellWord[];
	readonly input: ShellInput;
	/** Runs beside others: in a pipeline or in the background. */
	readonly forked: boolean;
	/** The innermost function whose body it is part of. */
	readonly inFunction: string | undefined;
	/** Part of a loop or a function: may run more than once. */
	readonly repeated: boolean;
}

/** A reason why a script may run something that its text does not show as a command. */
export interface Opaque {
	/**
	 * `certain`: it runs something unknown (`$x`, `eval`, a shell fed by a pipe).
	 * `possible`: it would if some variable held code (arithmetic on a name, `${!x}`).
	 * `delegated`: the program it names runs others by its own rules (`watch`, `source`).
	 */
	readonly strength: "certain" | "possible" | "delegated";
	readonly reason: string;
}

export interface ShellScript {
	readonly commands: readonly ShellCommand[];
	readonly redirects: readonly ShellRedirect[];
	/** What the script sets for itself: on its own, by a loop, by `${x:=y}`. */
	readonly variables: readonly ShellAssignment[];
	readonly functions: readonly string[];
	/** What loops go through. */
	readonly loopWords: readonly ShellWord[];
	/** What `case` and `[[ ]]` are given, here-strings, and here-documents that hold expansions. */
	readonly otherWords: readonly ShellWord[];
	readonly opaque: readonly Opaque[];
	/** Some text in it, quoted as it may be, would run a command if something evaluated it. */
	readonly holdsCode: boolean;
	/** Why the text is not a script we understand; the lists above may be incomplete then. */
	readonly problem: string | undefined;
}
