// The commands an agent that may change nothing can run, each with the check its options need.

import type { ShellWord } from "../script.ts";
import { judgeGit } from "./git.ts";
import { judgeOptions, mayBeOption, type OptionLimits, operandsOf } from "./options.ts";
import { judgeSed } from "./sed.ts";

/** Why these arguments are not harmless; undefined when they are. */
export type ArgumentCheck = (args: readonly ShellWord[]) => string | undefined;

// None of them can write, whatever it is given.
const PURE =
	"arch b2sum basename break cal cat cd cksum cmp column comm continue cut df diff dirname du echo egrep exit expand expr " +
	"factor false fgrep fmt fold free getconf getent grep groups head hexdump id join jq locale ls lscpu md5sum nl " +
	"nproc numfmt od paste printenv ps pwd readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum " +
	"sleep stat strings sum tac tail test tr true tsort type uname unexpand uptime wc which whoami xargs : [";

// Looked through: the command behind them is judged by itself.
const WRAPPERS = "timeout nice stdbuf";
const VERSIONED = "cmake clang docker gcc java make node npm perl php pip pip3 python python3 ruby";

export const READ_ONLY_COMMANDS: ReadonlyMap<string, ArgumentCheck> = new Map<string, ArgumentCheck>([
	...PURE.split(" ").map((name): [string, ArgumentCheck] => [name, () => undefined]),
	...WRAPPERS.split(" ").map((name): [string, ArgumentCheck] => [name, () => undefined]),
	...VERSIONED.split(" ").map((name): [string, ArgumentCheck] => [name, judgeVersion]),
	["command", (args) => (/^-[vV]$/.test(args[0]?.value ?? "") ? undefined : "only command -v is allowed here")],
	["date", judgeDate],
	["env", (args) => (args.length === 0 ? undefined : "env may only print; it takes no arguments here")],
	["fd", limited({ letters: "xX", valued: "EStedoc", long: ["--exec", "--exec-batch"] })],
	["file", limited({ letters: "CzZ", valued: "emfFP", long: ["--compile", "--uncompress", "--uncompress-noreport"] })],
	["find", judgeFind],
	["git", judgeGit],
	["hostname", (args) => (args.length === 0 ? undefined : "hostname takes no arguments here")],
	["printf", judgePrintf],
	["read", judgeRead],
	["rg", limited({ letters: "z", valued: "ABCEMTdefgjmrt", long: ["--pre", "--search-zip", "--hostname-bin"] })],
	["sed", judgeSed],
	["sort", limited({ letters: "o", valued: "kStTo", long: ["--output", "--compress-program"] })],
	["time", judgeTime],
	["tree", limited({ letters: "oR", valued: "LPIo", long: ["--output"] })],
	["uniq", oneOperand({})],
	["xxd", oneOperand({ letters: "r", valued: "closR", long: ["--revert"] })],
]);

function limited(limits: OptionLimits): ArgumentCheck {
	return (args) => judgeOptions(args, limits);
}

// A second operand is the file it writes.
function oneOperand(limits: OptionLimits): ArgumentCheck {
	return (args) => {
		const reason = judgeOptions(args, limits);
		if (reason !== undefined) return reason;
		const operands = operandsOf(args);
		const several = operands.length > 1 || operands.some((word) => word.splits || word.value === undefined);
		return several ? "it may be given one file only, written out: a second one would be overwritten" : undefined;
	};
}

// Its own output file is not looked through by anyone else.
function judgeTime(args: readonly ShellWord[]): string | undefined {
	const end = args.findIndex((word) => !/^-./.test(word.text[0]));
	const options = end < 0 ? args : args.slice(0, end);
	return options.every((word) => word.value === "-p") ? undefined : "time takes only -p here";
}

function judgeVersion(args: readonly ShellWord[]): string | undefined {
	const asks = args.length === 1 && /^(?:-v|-V|--version|-version)$/.test(args[0]?.value ?? "");
	return asks ? undefined : "it may only be asked for its version (--version)";
}

function judgeDate(args: readonly ShellWord[]): string | undefined {
	const reason = judgeOptions(args, { letters: "s", valued: "dfrI", long: ["--set"] });
	if (reason !== undefined) return reason;
	const sets = args.some(
		(word, at) =>
			/^\d/.test(word.text[0]) && !/^-[a-zA-Z]*[dfr]$|^--(?:date|file|reference)$/.test(args[at - 1]?.value ?? ""),
	);
	return sets ? "it may not set the date" : undefined;
}

// `printf -v PATH .` would decide what the next command is.
function judgePrintf([first]: readonly ShellWord[]): string | undefined {
	if (first === undefined || (!mayBeOption(first) && !first.text[0].startsWith("-v"))) return undefined;
	return "printf may only print; it may not set a variable (-v)";
}

function judgeRead(args: readonly ShellWord[]): string | undefined {
	return args.every((word) => /^(?:-r|[a-z_][a-z0-9_]*)$/.test(word.value ?? "-")) ? undefined : "write read -r name";
}

const FIND_TESTS = new Set(
	(
		"a amin and anewer atime cmin cnewer ctime daystart d depth empty E executable false follow fstype gid group H " +
		"ignore_readdir_race ilname iname inum ipath iregex iwholename L links lname ls maxdepth mindepth mmin mount mtime name " +
		"newer newermt newerct newerat newerBt nogroup noignore_readdir_race noleaf not nouser o or P path perm print print0 " +
		"printf prune quit readable regex regextype samefile size true type uid used user wholename writable x xdev xtype"
	).split(" "),
);

function judgeFind(args: readonly ShellWord[]): string | undefined {
	for (const [at, word] of args.entries()) {
		if (mayBeOption(word)) return `${word.raw} may turn out to be an option; write ./${word.raw}`;
		const text = word.text[0];
		if (!text.startsWith("-") || text === "-") continue;
		const isValue =
			/^-\d+[a-zA-Z]?$/.test(text) || (args[at - 1]?.value === "-perm" && /^-[ugoa0-7=+rwxst,]+$/.test(text));
		if (!isValue && !FIND_TESTS.has(text.slice(1)) && !/^-O\d$/.test(text)) return `find ${text} is not allowed here`;
	}
	return undefined;
}
