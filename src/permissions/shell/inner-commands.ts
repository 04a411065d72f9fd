// Commands that another command runs: behind a wrapper, by xargs or find -exec, in the text given to
// `sh -c`, eval, trap or alias, or read by a shell from its input. Deny rules and the list of refused
// commands look at all of them; an allow rule only at those behind a transparent wrapper.

import { commandName } from "./command-name.ts";
import { hasOption, type Inner, NOTHING, opaqueInner } from "./inner.ts";
import { ofLauncher, ofVariables } from "./inner-launchers.ts";
import { isShell, ofEval, ofShell, ofTextArguments } from "./inner-scripts.ts";
import { ofFind, ofXargs } from "./inner-xargs.ts";
import { ofNames } from "./name-evaluators.ts";
import type { ShellCommand } from "./script.ts";
import { behind, unwrap } from "./wrappers.ts";

// Programs that run others in ways of their own.
const DELEGATES: ReadonlySet<string> = new Set([
	".",
	"source",
	"watch",
	"parallel",
	"entr",
	"script",
	"strace",
	"ltrace",
	"gdb",
	"unshare",
	"nsenter",
	"firejail",
	"bwrap",
	"systemd-run",
	"at",
	"batch",
	"crontab",
	"expect",
	"start-stop-daemon",
	"setpriv",
	"capsh",
	"flock",
	"dbus-run-session",
	"xvfb-run",
	"unbuffer",
	"rlwrap",
	"ssh",
	"bind",
	"complete",
	"compgen",
	"enable",
	"hash",
]);

/** What one command runs besides itself. */
export function innerOf(command: ShellCommand): Inner {
	const name = commandName(command);
	if (command.words.length === 0) return NOTHING;
	const inner = ofProgram(command, name);
	const others = [ofVariables(command, name), name === undefined ? NOTHING : (ofLauncher(command, name) ?? NOTHING)];
	return {
		...inner,
		scripts: [inner, ...others].flatMap((each) => each.scripts ?? []),
		opaque: [inner, ...others].flatMap((each) => each.opaque ?? []),
	};
}

function ofProgram(command: ShellCommand, name: string | undefined): Inner {
	if (name === undefined) {
		return opaqueInner("certain", `the command's name is not known until it runs: ${command.words[0]?.raw}`);
	}
	if (isShell(name)) return ofShell(command, name);
	if (DELEGATES.has(name)) return opaqueInner("delegated", `${name} runs other commands`);
	if (/^(?:ld-linux|ld-musl|ld\.so)/.test(name.slice(name.lastIndexOf("/") + 1))) {
		return { commands: [behind(command, command.words.slice(1))] };
	}
	switch (name) {
		case "eval":
			return ofEval(command);
		case "trap":
		case "alias":
			return ofTextArguments(command, name);
		case "xargs":
			return ofXargs(command);
		case "find":
			return ofFind(command);
		case "fd":
		case "fdfind":
			return hasOption(command, /^(?:-[a-zA-Z]*[xX]|--exec)/)
				? opaqueInner("delegated", `${name} runs other commands`)
				: NOTHING;
		case "git":
			return hasOption(command, /^(?:-c|--config-env|--exec-path)/)
				? opaqueInner("delegated", "git runs what its settings say")
				: NOTHING;
		case "mapfile":
		case "readarray":
			return hasOption(command, /^-[a-zA-Z]*C/)
				? opaqueInner("certain", `${name} -C runs a command`)
				: (ofNames(command, name) ?? NOTHING);
		default:
			return ofNames(command, name) ?? ofWrapper(command, name);
	}
}

function ofWrapper(command: ShellCommand, name: string): Inner {
	if (name === "env" && hasOption(command, /^(?:-[a-zA-Z0]*S|--split-string)/)) return ofEnvString(command);
	// env hands a shell functions that way.
	if (name === "env" && hasOption(command, /^BASH_FUNC_/)) return opaqueInner("certain", "env defines a function");
	const unwrapped = unwrap(command, name);
	if (unwrapped.found === "nothing") return NOTHING;
	if (unwrapped.found === "unclear") return opaqueInner("certain", unwrapped.reason);
	return { commands: [unwrapped.command], transparent: unwrapped.transparent };
}

// `env -S "A=1 rm x"`: the text is split, not run, but its words are the command.
function ofEnvString(command: ShellCommand): Inner {
	const values = command.words.slice(1).map((word) => word.value);
	if (values.some((value) => value === undefined))
		return opaqueInner("certain", "env -S is given a text that is not known");
	const text = values.map((value) => (value ?? "").replace(/^(?:-[a-zA-Z0]*S|--split-string)=?/, "")).join(" ");
	return { commands: [], scripts: [text] };
}
