// Programs that run another command somewhere in their own way: behind a subcommand, in the value of an option, in a
// variable, in a language of their own. Only rules that deny or ask look at what is found here.

import { type Inner, NOTHING, opaqueInner } from "./inner.ts";
import type { ShellCommand, ShellWord } from "./script.ts";

/** The command may begin at any of their words: `uv run pytest`, `tmux new -d 'npm start'`. */
const LAUNCHERS: ReadonlySet<string> = new Set(
	(
		"npx bunx uvx uv poetry pipenv bundle conda mamba direnv mise asdf nix nix-shell devbox npm pnpm yarn docker podman " +
		"kubectl tmux screen hyperfine perf valgrind prlimit setarch linux32 linux64 i386 x86_64 faketime proxychains " +
		"proxychains4 torsocks torify cgexec chpst softlimit s6-setuidgid tini dumb-init gosu su-exec su runuser pkexec " +
		"ssh-agent dbus-launch watchexec nodemon catchsegv numactl sg newgrp"
	).split(" "),
);

/** Options whose value is a command. */
const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
	tar: [
		...["-I", "-F", "--use-compress-program", "--to-command", "--checkpoint-action", "--rsh-command"],
		...["--info-script", "--new-volume-script"],
	],
	rsync: ["-e", "--rsh", "--rsync-path"],
	scp: ["-S", "-o"],
	sftp: ["-S", "-o"],
	npx: ["-c", "--call"],
	npm: ["-c", "--call"],
	sg: ["-c"],
	split: ["--filter"],
	sort: ["--compress-program"],
	zip: ["-TT", "--unzip-command"],
	man: ["-P", "--pager", "-H", "--html"],
	"git rebase": ["-x", "--exec"],
	"git difftool": ["-x", "--extcmd"],
	"git grep": ["-O", "--open-files-in-pager"],
	"git clone": ["-u", "--upload-pack"],
	"git fetch": ["--upload-pack"],
	"git pull": ["--upload-pack"],
	"git ls-remote": ["--upload-pack"],
	"git push": ["--receive-pack", "--exec"],
	"git archive": ["--exec"],
	"git filter-branch": [
		...["--setup", "--env-filter", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter"],
		...["--commit-filter", "--tag-name-filter"],
	],
};

/** Variables whose value is a command for programs that look at them. */
const COMMAND_VARIABLES =
	/^(?:(?:GIT_|MAN)?PAGER|(?:GIT_(?:SEQUENCE_)?)?EDITOR|VISUAL|BROWSER|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|(?:GIT|SSH)_ASKPASS|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE)$/;
/** Settings that make git run something later. */
const GIT_SETTINGS =
	/^(?:alias\.|pager\.|include|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|diff\.external|sequence\.editor|.*\.(?:cmd|textconv|command|process|clean|smudge|driver|helper|program|uploadpack|receivepack)$)/i;

/** Programs with a language of their own, and what in it starts another program. */
const LANGUAGES: readonly (readonly [RegExp, RegExp])[] = [
	[/^[gmn]?awk$/, /\bsystem\s*\(|(?<!\|)\|(?!\|)\s*(?:getline|[&"\w])/],
	[/^g?sed$/, /(?:^|[;{}\n\d$/!,])\s*e(?:\s|$)|s(.).*\1.*\1[gpiIm\d]*e/s],
	[
		/^(?:python|perl|ruby|php|node|nodejs|deno|bun|lua|osascript|tclsh)[\d.]*$/,
		/system|exec|spawn|popen|subprocess|child_process|shell|fork|`|%x/i,
	],
	[
		/^(?:vim?|nvim|view|ex|ed|emacs|less|more|bc|ftp|psql|mysql|sqlite3|rpm)$/,
		/!|\.shell|\.system|\bsystem\b|shell-command|%\(/,
	],
];

/** What such a program runs; undefined when it is none. */
export function ofLauncher(command: ShellCommand, name: string): Inner | undefined {
	const args = command.words.slice(1);
	const found: Inner[] = [];
	if (LAUNCHERS.has(name)) found.push(ofAnyWord(args));
	const subcommand = name === "git" ? args.find((word) => !word.text[0].startsWith("-"))?.value : undefined;
	const options = COMMAND_OPTIONS[subcommand === undefined ? name : `git ${subcommand}`];
	if (options && Object.hasOwn(COMMAND_OPTIONS, subcommand === undefined ? name : `git ${subcommand}`)) {
		found.push(ofOptions(args, options));
	}
	if (subcommand !== undefined) found.push(ofGit(args, subcommand));
	const tool = /(?:^|\/)git-([a-z-]+)$/.exec(name)?.[1];
	if (tool !== undefined) found.push(ofText(["git", tool, ...args.map((word) => word.value)]));
	const language = LANGUAGES.find(([programs]) => programs.test(name))?.[1];
	const texts = [...args.flatMap((word) => word.text), command.input.from === "text" ? command.input.text : ""].map(
		// In awk a bar means something outside of its strings only.
		(text) => (name.endsWith("awk") ? text.replace(/"(?:\\.|[^"\\])*"/g, '""') : text),
	);
	if (language && texts.some((text) => language.test(text))) {
		found.push(opaqueInner("delegated", `${name} runs what its script says`));
	}
	return found.length === 0 ? undefined : join(found);
}

/** What the variables before a command, or those that `export` sets, make other programs run. */
export function ofVariables(command: ShellCommand, name: string | undefined): Inner {
	const exported = name === "export" || name === "declare" || name === "typeset" ? command.words.slice(1) : [];
	const pairs = [
		...command.assignments.map(({ name: variable, value }) => [variable, value?.value] as const),
		...exported.map((word) => {
			const at = word.text[0].indexOf("=");
			return [word.text[0].slice(0, Math.max(0, at)), word.value?.slice(at + 1)] as const;
		}),
	];
	return join(
		pairs.map(([variable, value]) => {
			if (/^GIT_CONFIG/.test(variable)) return opaqueInner("delegated", "git runs what its settings say");
			return COMMAND_VARIABLES.test(variable) ? ofText([value], variable) : NOTHING;
		}),
	);
}

function ofGit(args: readonly ShellWord[], subcommand: string): Inner {
	const values = args.map((word) => word.value);
	const after = (word: string) => values.slice(values.indexOf(word) + 1);
	if (subcommand === "bisect" && values.includes("run")) return ofText(after("run"));
	if (subcommand === "submodule" && values.includes("foreach")) {
		return ofText(
			after("foreach").filter((value) => !/^--(?:recursive|quiet)$/.test(value ?? "")),
			undefined,
			true,
		);
	}
	const runsLater = subcommand === "config" && args.some((word) => GIT_SETTINGS.test(word.text[0]));
	const isProgram = args.some((word) => /^ext::/.test(word.text[0]));
	return runsLater || isProgram ? opaqueInner("delegated", "git runs what its settings say") : NOTHING;
}

function ofOptions(args: readonly ShellWord[], options: readonly string[]): Inner {
	return join(
		args.map((word, at) => {
			const { value } = word;
			const written = word.text[0];
			if (written.startsWith("--")) {
				const [name = "", ...rest] = (value ?? written).split("=");
				if (!options.some((each) => name.length > 3 && each.startsWith(name))) return NOTHING;
				if (value === undefined) return ofText([undefined], name);
				return ofText([rest.length > 0 ? rest.join("=").replace(WHAT_IT_IS, "") : args[at + 1]?.value], name);
			}
			// In a cluster it may be any of the words behind that is the value. tar needs no dash before it.
			const letters = /^-[^-]/.test(written) ? written.slice(1) : at === 0 ? written : "";
			const option = options.find((each) => each.length === 2 && letters.includes(each.charAt(1)));
			if (option === undefined || (!written.startsWith("-") && option !== "-I" && option !== "-F")) return NOTHING;
			const attached = value?.slice(value.indexOf(option.charAt(1)) + 1);
			if (letters.startsWith(option.charAt(1)) && attached !== "") {
				return ofText([attached?.replace(/^=/, "").replace(WHAT_IT_IS, "")], option);
			}
			const behind = args.slice(at + 1, at + (letters.length > 1 ? 4 : 2));
			return join([
				...(attached ? [ofText([attached], option)] : []),
				...behind.map((each) => ofText([each.value?.replace(WHAT_IT_IS, "")], option)),
			]);
		}),
	);
}

/** What stands before the command in the value of an option. */
const WHAT_IT_IS = /^(?:exec|ProxyCommand|LocalCommand)[= ]/i;

function ofAnyWord(args: readonly ShellWord[]): Inner {
	const isOption = (word: ShellWord) => /^-|^(?:exec|run|x|dlx|\.)$/.test(word.text[0]);
	const starts = args.flatMap((word, at) => (isOption(word) ? [] : [at])).slice(0, 8);
	const known = (at: number) => args.slice(at).every((word) => word.value !== undefined);
	return join(
		starts
			.filter((at) => args[at]?.value !== undefined)
			.map((at) => {
				const values = args.slice(at).map((word) => word.value);
				return ofText(known(at) ? values : values.slice(0, 1), undefined, values.length === 1);
			}),
	);
}

/** @param isScript its one word is a text for a shell, and not a word that a program is started with. */
function ofText(values: readonly (string | undefined)[], option?: string, isScript = option !== undefined): Inner {
	if (values.some((value) => value === undefined)) {
		return option === undefined ? NOTHING : opaqueInner("delegated", `${option} names a command that is not known`);
	}
	const words = values as readonly string[];
	if (words.length === 0 || words[0] === "") return NOTHING;
	return { commands: [], scripts: [isScript ? words.join(" ") : words.map(quote).join(" ")] };
}

const quote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function join(inners: readonly Inner[]): Inner {
	return {
		commands: [],
		scripts: inners.flatMap((inner) => inner.scripts ?? []),
		opaque: inners.flatMap((inner) => inner.opaque ?? []),
	};
}
