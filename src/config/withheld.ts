// How it is told what a project's files ask for and do not get before the person trusts the folder.

/** `2 allow rules in /repo/.claude/settings.json`, and below it each of them on a line of its own. */
export function withheldText(what: string, items: readonly string[], path: string): string {
	const count = `${items.length} ${items.length === 1 ? what : what.replace(/(y?)$/, (_, y) => (y ? "ies" : "s"))}`;
	return [`${count} in ${path}`, ...items.map((item) => `  ${item}`)].join("\n");
}
