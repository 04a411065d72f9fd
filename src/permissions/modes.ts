// The permission modes, with Claude Code's names.

import { ClowderError } from "../errors.ts";

export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;

/**
 * What happens to a call that no rule decides: `default` asks, `acceptEdits` lets file edits inside the workspace
 * through, `plan` refuses whatever could change something, `dontAsk` denies instead of asking,
 * `bypassPermissions` allows.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export function isPermissionMode(value: unknown): value is PermissionMode {
	return (PERMISSION_MODES as readonly unknown[]).includes(value);
}

/**
 * The mode that counts for an agent whose type names one of its own. A session that plans plans as a whole, one that
 * never asks never asks, and what the person has opened for the session stays open; an agent type can always plan.
 */
export function modeFor(session: PermissionMode, own: PermissionMode | undefined): PermissionMode {
	if (own === undefined || own === session) return session;
	return own === "plan" || session === "default" ? own : session;
}

/** Reads `--permission-mode`. @throws ClowderError ERR_BAD_OPTION */
export function parsePermissionMode(value: string): PermissionMode {
	if (isPermissionMode(value)) return value;
	throw new ClowderError("ERR_BAD_OPTION", `Permission mode '${value}' is not known`, {
		remedy: `Use one of: ${PERMISSION_MODES.join(", ")}`,
	});
}
