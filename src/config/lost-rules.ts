// Keys of a settings file under which somebody's rules may stand without anybody reading them: a key in another spelling
// or at another place. What is forbidden there would be lost without a word.

import { isRecord } from "../lib/is-record.ts";
import { nearestName } from "../lib/nearest-name.ts";

const KNOWN = ["allow", "ask", "deny", "defaultMode", "additionalDirectories"];
/** Claude Code's, without a meaning here: they only take modes away that a person has to ask for here as well. */
const OTHERS = new Set(["disableBypassPermissionsMode", "disableAutoMode"]);
/** What would have made something stricter. */
const STRICT = new Set(["ask", "deny", "defaultMode"]);

export interface DoubtfulKey {
	readonly reason: string;
	/** A ban may stand there. */
	readonly mayBan: boolean;
}

/** Of the object `permissions`. */
export function doubtfulRuleKeys(permissions: Readonly<Record<string, unknown>>): DoubtfulKey[] {
	return Object.entries(permissions).flatMap(([key, value]) => {
		if (KNOWN.includes(key) || OTHERS.has(key)) return [];
		const meant = nearestName(key, KNOWN);
		if (meant === undefined && !Array.isArray(value)) return [];
		const remedy = meant === undefined ? `Known are ${KNOWN.join(", ")}` : `Did you mean '${meant}'?`;
		const mayBan = meant === undefined || STRICT.has(meant);
		return [{ reason: `'permissions.${key}' is unknown. ${remedy}`, mayBan }];
	});
}

/** Of the file as a whole. */
export function doubtfulTopKeys(file: Readonly<Record<string, unknown>>): DoubtfulKey[] {
	return Object.entries(file).flatMap(([key, value]) => {
		if (isRecord(value) && key !== "permissions" && nearestName(key, ["permissions"])) {
			return [{ reason: `'${key}' is unknown. Did you mean 'permissions'?`, mayBan: true }];
		}
		const list = Array.isArray(value) ? nearestName(key, ["allow", "ask", "deny"]) : undefined;
		if (list === undefined) return [];
		return [{ reason: `'${key}' is unknown. Did you mean 'permissions.${list}'?`, mayBan: list !== "allow" }];
	});
}
