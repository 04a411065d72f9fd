// The rules offered with a question: what "always" would write. As narrow as is still useful.

import { relative } from "node:path";
import { toRuleToolName } from "../lib/tool-aliases.ts";
import { exactCommandSpec } from "./rules/command-pattern.ts";
import type { CallTarget } from "./rules/match-call.ts";
import { FILE_READERS, FILE_WRITERS } from "./rules/tool-names.ts";

// Programs whose further words only say on what they do what they always do.
const WITH_ANY_ARGUMENTS = new RegExp(
	"^(?:" +
		[
			"git (?:add|blame|branch|checkout|commit|diff|fetch|log|merge|pull|rebase|restore|show|stash|status|switch|tag)",
			"(?:npm|pnpm|yarn|bun) (?:test|run [\\w:.-]+)",
			"(?:cargo|go) (?:build|check|clippy|doc|fmt|test|vet)",
			"dotnet (?:build|test)",
			"pytest|vitest|tsc|ruff|mypy",
		].join("|") +
		")(?= |$)",
);

/** Rules for the commands of a bash call that no rule covers yet. */
export function suggestForCommands(commands: readonly string[]): string[] {
	const rules = commands.map((command) => {
		const start = WITH_ANY_ARGUMENTS.exec(command)?.[0];
		const spec = start === undefined ? exactCommandSpec(command) : `${start} *`;
		return `Bash(${spec})`;
	});
	return [...new Set(rules)];
}

/** Rules for a written or edited file: anchored in the project where it is inside, else absolute. */
export function suggestForFile(path: string, root: string, tool: "Read" | "Edit"): string {
	const inside = relative(root, path);
	const anchored = inside !== "" && !inside.startsWith("..") ? `/${inside}` : `/${path}`;
	return `${tool}(${anchored.replace(/[\\*?[\]]/g, "\\$&")})`;
}

/** Rules for a call of any tool but bash. */
export function suggestForCall(target: CallTarget, root: string): string[] {
	const { toolName, places, host, subject } = target;
	if (FILE_WRITERS.includes(toolName)) return places.map((place) => suggestForFile(place.forms[0], root, "Edit"));
	if (FILE_READERS.includes(toolName)) return places.map((place) => suggestForFile(place.forms[0], root, "Read"));
	if (toolName === "web_fetch") return host === undefined ? [] : [`WebFetch(domain:${host})`];
	if (subject !== undefined && toolName !== "spawn_teammate") return [`${toRuleToolName(toolName)}(${subject})`];
	return [toRuleToolName(toolName)];
}
