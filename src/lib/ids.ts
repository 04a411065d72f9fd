// Identifiers. Runs are `task_<uuid>` as the tool texts promise; everything else is `<kind>_<uuid>`.

/** A new random identifier that starts with its kind. */
export function newId(kind: string): string {
	return `${kind}_${crypto.randomUUID()}`;
}

export const SESSION_ID_RULE = "an id of 1 to 128 letters, digits, '.', '_' and '-' that does not begin with a dot";

/** Whether a session may be called so: its id is the name of a folder. */
export function isSessionId(value: unknown): boolean {
	return typeof value === "string" && /^(?!\.)[\w.-]{1,128}$/.test(value);
}
