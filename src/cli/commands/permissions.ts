// `/permissions`: the mode and the rules in force, and changes to both.

import { isClowderError } from "../../errors.ts";
import { PERMISSION_MODES, parsePermissionMode } from "../../permissions/modes.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";

export const PERMISSIONS_USAGE =
	"Usage: /permissions | mode MODE | allow RULE [--save] | ask RULE [--save] | deny RULE [--save] | remove RULE";

type Board = Pick<Supervisor, "permissionMode" | "permissions">;

export async function runPermissions(rest: string, board: Board): Promise<string[]> {
	const [, verb = "", argument = ""] = /^(\S*)\s*(.*)$/s.exec(rest.trim()) ?? [];
	try {
		switch (verb) {
			case "":
				return describe(board);
			case "mode":
				return changeMode(argument, board);
			case "allow":
			case "ask":
			case "deny":
				return await addRule(verb, argument, board);
			case "remove":
				return removeRule(argument, board);
			default:
				return [`Unknown subcommand: ${verb}`, PERMISSIONS_USAGE];
		}
	} catch (thrown) {
		if (!isClowderError(thrown)) throw thrown;
		return [`Error: ${thrown.message}`];
	}
}

function describe({ permissionMode, permissions }: Board): string[] {
	const rules = permissions.rules();
	const lines = [`Mode: ${permissionMode()} (of ${PERMISSION_MODES.join(", ")})`];
	for (const kind of ["deny", "ask", "allow"] as const) {
		const ofKind = rules.filter((rule) => rule.kind === kind);
		lines.push(`${kind[0]?.toUpperCase()}${kind.slice(1)}:${ofKind.length === 0 ? " none" : ""}`);
		const width = Math.max(0, ...ofKind.map(({ text }) => text.length));
		for (const { text, source } of ofKind) lines.push(`  ${text.padEnd(width)}  ${source.label}`);
	}
	return [...lines, PERMISSIONS_USAGE];
}

function changeMode(name: string, { permissions }: Board): string[] {
	if (name === "") return ["Error: a mode is required", PERMISSIONS_USAGE];
	const mode = parsePermissionMode(name);
	permissions.setMode(mode);
	return [`Permission mode: ${mode}`];
}

async function addRule(kind: "allow" | "ask" | "deny", argument: string, { permissions }: Board): Promise<string[]> {
	const save = /(^|\s)--save$/.test(argument);
	const rule = argument.replace(/(^|\s+)--save$/, "").trim();
	if (rule === "") return ["Error: a rule is required, e.g. Bash(npm test *)", PERMISSIONS_USAGE];
	await permissions.addRule(kind, rule, { save });
	return [`${kind} ${rule}: ${save ? "written to .clowder/settings.local.json" : "for this session"}`];
}

function removeRule(rule: string, { permissions }: Board): string[] {
	if (permissions.removeRule(rule)) return [`Removed: ${rule}`];
	const written = permissions.rules().find(({ text }) => text === rule);
	if (written) return [`${rule} comes from ${written.source.label}; take it out there`];
	return [`There is no rule '${rule}'.`];
}
