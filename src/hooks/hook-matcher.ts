// Which names a user hook applies to. Three kinds: everything, a list of exact names, a regular expression.

/** Tells whether any of an event's names is meant. A tool has several: our own and Claude Code's. */
export type HookMatcher = (names: readonly string[]) => boolean;

// Blanks around the separators are looked through: no tool has one in its name.
const NAME_LIST = /^[A-Za-z0-9_\-|, ]+$/;

/** Compiles a matcher; one that `matcherFault` objects to matches nothing. */
export function compileMatcher(matcher: string): HookMatcher {
	const text = matcher.trim();
	if (text === "" || text === "*") return () => true;
	if (NAME_LIST.test(text)) {
		const wanted = new Set(text.split(/[|,]/).map((name) => name.trim()));
		return (names) => names.some((name) => wanted.has(name));
	}
	const pattern = toRegExp(text);
	if (pattern instanceof Error) return () => false;
	return (names) => names.some((name) => pattern.test(name));
}

/** Why a matcher cannot be used, or undefined. */
export function matcherFault(matcher: string): string | undefined {
	const text = matcher.trim();
	if (text === "" || text === "*" || NAME_LIST.test(text)) return undefined;
	const pattern = toRegExp(text);
	return pattern instanceof Error ? `is no valid regular expression: ${pattern.message}` : undefined;
}

function toRegExp(text: string): RegExp | Error {
	try {
		return new RegExp(text);
	} catch (thrown) {
		return thrown as Error;
	}
}
