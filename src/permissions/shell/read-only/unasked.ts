// The commands that may run without a question where nobody has said otherwise: stricter than what an agent that may
// only look is limited to, because such an agent was chosen for that. What a command prints must come from the files
// it names, or from none.

import type { ShellCommand } from "../script.ts";
import { readOnlyName } from "./judge.ts";
import { judgeOptions, type OptionLimits, operandsOf } from "./options.ts";

/**
 * What the words of a command are: `text` that is no path, `paths` (every word may be one), the same behind a first
 * operand that is `pattern`, or of `git`, which shows what the repository holds besides.
 */
export type WordKind = "text" | "paths" | "pattern" | "git";

interface Entry {
	readonly words: WordKind;
	/** Options that lead to other files: those a list names, those behind links. */
	readonly limits?: OptionLimits;
}

const TEXT =
	": arch basename break cal command continue dirname echo exit false groups id nproc printf pwd read tr true type uname uptime which whoami";
const VERSIONED = "node npm python python3";
const PATHS =
	"[ cat cd cksum cmp column comm cut expand fmt fold hexdump head join md5sum nl od paste readlink realpath rev " +
	"sha1sum sha224sum sha256sum sha384sum sha512sum stat tac test time timeout uniq xxd";

const UNASKED: ReadonlyMap<string, Entry> = new Map<string, Entry>([
	...`${TEXT} ${VERSIONED}`.split(" ").map((name): [string, Entry] => [name, { words: "text" }]),
	...PATHS.split(" ").map((name): [string, Entry] => [name, { words: "paths" }]),
	paths("date", { letters: "f", long: ["--file"] }),
	paths("diff", { letters: "r", valued: "CUFIxXSW", long: ["--recursive"] }),
	paths("du", { letters: "DHL", valued: "BXdt", long: ["--dereference", "--dereference-args", "--files0-from"] }),
	paths("file", { letters: "fm", valued: "eFP", long: ["--files-from", "--magic-file"] }),
	paths("find", { letters: "LH" }),
	paths("ls", { letters: "LH", valued: "ITw", long: ["--dereference"] }),
	paths("sort", { letters: "T", valued: "kSto", long: ["--files0-from", "--temporary-directory"] }),
	paths("tail", { letters: "fF", valued: "cns", long: ["--follow", "--retry"] }),
	paths("tree", { letters: "l", valued: "LPIo" }),
	paths("wc", { long: ["--files0-from"] }),
	...["egrep", "fgrep", "grep"].map((name): [string, Entry] => [
		name,
		{ words: "pattern", limits: { letters: "R", valued: "ABCDdefm", long: ["--dereference-recursive"] } },
	]),
	["rg", { words: "pattern", limits: { letters: "L", valued: "ABCEMTdefgjmrt", long: ["--follow"] } }],
	["sed", { words: "pattern" }],
	["jq", { words: "pattern", limits: { letters: "fL", long: ["--from-file", "--library-path"] } }],
	["git", { words: "git" }],
]);

function paths(name: string, limits: OptionLimits): [string, Entry] {
	return [name, { words: "paths", limits }];
}

/** What the command's words are; undefined when it needs to be asked about. Judges only what judgeReadOnly lets through. */
export function unaskedWords(command: ShellCommand): WordKind | undefined {
	const name = readOnlyName(command) ?? "";
	const entry = UNASKED.get(name);
	const args = command.words.slice(1);
	if (!entry || (entry.limits && judgeOptions(args, entry.limits) !== undefined)) return undefined;
	// `tail +5f` follows the file.
	if (name === "tail" && args.some((word) => /^\+/.test(word.text[0]))) return undefined;
	// Its --arg takes two values, of which `--` may be one.
	if (name === "jq" && args.some(({ value }) => value === "--")) return undefined;
	if (name === "jq" && !args.every(({ value }) => value !== undefined && isPlainFilter(value))) return undefined;
	if (name === "find" && args.some((word) => word.value === "-follow")) return undefined;
	if (name === "git" && /^config$/.test(args.find((word) => !word.text[0].startsWith("-"))?.value ?? ""))
		return undefined;
	return entry.words;
}

// A filter can show the environment and load files that it names.
function isPlainFilter(filter: string | undefined): boolean {
	return (
		filter !== undefined && !/\b(?:env|ENV|import|include|input_filename|modulemeta|get_search_list)\b/.test(filter)
	);
}

const LISTING =
	"branch check-ignore describe ls-files ls-tree name-rev rev-list rev-parse show-ref status version".split(" ");
const LOG_OPTIONS =
	/^(?:-\d+|-n\d*|-[sne]+|--(?:oneline|stat|shortstat|graph|decorate|all|reverse|merges|no-merges|follow|name-only|name-status|abbrev-commit|first-parent)|--(?:decorate|format|pretty|author|committer|since|after|until|before|grep|date|max-count)=.*)$/s;

/** Whether git tells only of names and commits, so that it shows nothing of a file that a rule hides. */
export function showsNoContents(command: ShellCommand): boolean {
	const args = command.words.slice(1).filter((word) => word.value !== "--no-pager");
	const name = args[0]?.value ?? "";
	// `git status -v` shows what would be committed.
	if (LISTING.includes(name))
		return !args.some((word) => /^(?:-[a-zA-Z]*v|--v)/.test(word.text[0]) && name === "status");
	if (name !== "log" && name !== "shortlog") return false;
	const end = args.findIndex((word) => word.value === "--");
	const before = end < 0 ? args.slice(1) : args.slice(1, end);
	return before.every((word) => word.value !== undefined && (!/^-./.test(word.value) || LOG_OPTIONS.test(word.value)));
}

/** The pattern or script among the arguments, where it is the first operand. */
export function patternWord(command: ShellCommand) {
	return operandsOf(command.words.slice(1))[0];
}
