// git commands that only look. Everything that writes, talks to a remote, or can start another program
// (pagers, external diffs, settings on the command line) is refused.

import type { ShellWord } from "../script.ts";
import { judgeOptions, type OptionLimits, operandsOf } from "./options.ts";

type Check = (args: readonly ShellWord[]) => string | undefined;

const NO_PROGRAMS: OptionLimits = {
	letters: "O",
	valued: "ABCGLMSUXefgmnx",
	long: [
		"--output",
		"--open-files-in-pager",
		"--ext-diff",
		"--textconv",
		"--filters",
		"--show-signature",
		"--exec",
		"--paginate",
	],
};
const looks: Check = (args) => judgeOptions(args, NO_PROGRAMS);
// Its letters stand for other things than those of log and diff, and -O for a program.
const searches: Check = (args) => judgeOptions(args, { ...NO_PROGRAMS, valued: "ABCefm" });

const SUBCOMMANDS: Readonly<Record<string, Check>> = {
	...Object.fromEntries(
		[
			"annotate",
			"blame",
			"cat-file",
			"check-ignore",
			"cherry",
			"count-objects",
			"describe",
			"diff",
			"diff-tree",
			"for-each-ref",
			"log",
			"ls-files",
			"ls-tree",
			"merge-base",
			"name-rev",
			"range-diff",
			"rev-list",
			"rev-parse",
			"shortlog",
			"show",
			"show-ref",
			"status",
			"version",
			"whatchanged",
		].map((name) => [name, looks]),
	),
	grep: searches,
	branch: lists(
		/^(?:-[arv]+|--(?:all|remotes|list|verbose|show-current|no-color|column|sort=.*|format=.*))$/,
		/^--(?:list|contains|no-contains|merged|no-merged|points-at)$/,
	),
	tag: lists(
		/^(?:-l|--list|-n\d*|--(?:sort|format)=.*|--column|--no-color)$/,
		/^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at))$/,
	),
	remote: onlyAs(["get-url"], ["-v", "--verbose"], true),
	stash: onlyAs(["list", "show"]),
	worktree: onlyAs(["list"]),
	reflog: onlyAs(["show"], [], true),
	config: judgeConfig,
};

/** Names for the text that lists what is allowed. */
export const GIT_SUBCOMMANDS: readonly string[] = Object.keys(SUBCOMMANDS).sort();

/** Why this git command is not harmless; undefined when it is. */
export function judgeGit(args: readonly ShellWord[]): string | undefined {
	const rest = args[0]?.value === "--no-pager" ? args.slice(1) : args;
	const name = rest[0]?.value;
	if (name === undefined) return "the git command is not known before it runs";
	if (name === "--version") return rest.length === 1 ? undefined : "git --version takes nothing else";
	if (name.startsWith("-")) return `git ${name} before the command is not allowed here`;
	const check = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
	if (!check) return `git ${name} may change something; git is limited to ${GIT_SUBCOMMANDS.join(", ")}`;
	const reason = check(rest.slice(1));
	return reason === undefined ? undefined : `git ${name}: ${reason}`;
}

/** Operands make something new, unless one of `listing` says that they are patterns. */
function lists(options: RegExp, listing: RegExp): Check {
	return (args) => {
		const words = args.map((word) => word.value);
		if (words.some((value) => value === undefined)) return "every word must be written out";
		const isListing = words.some((value) => listing.test(value ?? ""));
		const bad = words.find(
			(value) =>
				/^-./.test(value ?? "") && !options.test(value ?? "") && !listing.test((value ?? "").split("=", 1)[0] ?? ""),
		);
		if (bad !== undefined) return `the option ${bad} is not allowed here`;
		return isListing || operandsOf(args).length === 0 ? undefined : "only listing is allowed; add --list";
	};
}

/** One of `starts` with harmless options, one word of `alone` and nothing else, or nothing at all. */
function onlyAs(starts: readonly string[], alone: readonly string[] = [], bare = false): Check {
	return (args) => {
		const first = args[0]?.value ?? "";
		if (args.length === 0 && bare) return undefined;
		if (args.length === 1 && alone.includes(first)) return undefined;
		if (args.length > 0 && starts.includes(first)) return judgeOptions(args.slice(1), NO_PROGRAMS);
		return `only ${[...starts, ...alone, ...(bare ? ["no argument"] : [])].join(", ")} is allowed here`;
	};
}

function judgeConfig(args: readonly ShellWord[]): string | undefined {
	const asks = /^(?:--get|--get-all|--get-regexp|--list|-l)$/.test(args[0]?.value ?? "");
	const rest = args.slice(1);
	const harmless = /^(?:[^-].*|--(?:global|local|system|worktree|show-origin|show-scope|name-only|null|includes)|-z)$/s;
	const bad = rest.find((word) => !harmless.test(word.value ?? "-"));
	if (!asks) return "only --get, --get-all, --get-regexp and --list are allowed";
	return bad === undefined ? undefined : `${bad.raw} is not allowed here`;
}
