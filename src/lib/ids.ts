// Identifiers. Runs are `task_<uuid>` as the tool texts promise; everything else is `<kind>_<uuid>`.

/** A new random identifier that starts with its kind. */
export function newId(kind: string): string {
	return `${kind}_${crypto.randomUUID()}`;
}
