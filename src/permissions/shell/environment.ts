// Which variables a command may be given without becoming another command.

import type { ShellAssignment } from "./script.ts";

// They change how a program talks, not what it runs or where it looks.
const SAFE_NAMES: ReadonlySet<string> = new Set(
	(
		"CI COLUMNS LINES LANG LANGUAGE TZ TERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM DEBUG VERBOSE LOG_LEVEL " +
		"NODE_ENV BABEL_ENV RAILS_ENV RACK_ENV MIX_ENV APP_ENV NODE_DISABLE_COLORS NO_UPDATE_NOTIFIER GOOS GOARCH GOARM " +
		"CGO_ENABLED RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING " +
		"PYTHONHASHSEED PYTHONUTF8 PYTEST_DISABLE_PLUGIN_AUTOLOAD PIP_NO_INPUT DEBIAN_FRONTEND GIT_TERMINAL_PROMPT " +
		"HOMEBREW_NO_AUTO_UPDATE PORT HOST SOURCE_DATE_EPOCH"
	).split(" "),
);
const PAGERS: ReadonlySet<string> = new Set(["PAGER", "GIT_PAGER", "MANPAGER"]);

/** Whether a variable before a command (`CI=1 npm test`) is looked through. */
export function isSafePrefix(assignment: ShellAssignment): boolean {
	const { name, value } = assignment;
	if (PAGERS.has(name)) return value?.value === "cat" || value?.value === "";
	return SAFE_NAMES.has(name) || /^LC_[A-Z]+$/.test(name);
}

/**
 * Whether a variable set on its own (`x=1; …`, `for x in …`) stays in the script. Lower-case names do, save those
 * that programs read from the environment all the same.
 */
export function isSafeVariable(assignment: ShellAssignment): boolean {
	const { name } = assignment;
	if (SAFE_NAMES.has(name)) return true;
	return /^[a-z_][a-z0-9_]*$/.test(name) && name !== "_" && !/_proxy$|^(?:npm|yarn|pnpm|git|histchars$)/.test(name);
}
