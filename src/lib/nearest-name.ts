// For a name that nobody knows: the known one that was probably meant.

/** The known name with the fewest letters to change, when these are few beside its length. */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
	let nearest: string | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const name of known) {
		const changes = countChanges(wanted.toLowerCase(), name.toLowerCase());
		if (changes < least) [nearest, least] = [name, changes];
	}
	return least <= Math.ceil((nearest?.length ?? 0) / 3) ? nearest : undefined;
}

/** Letters to put in, take out or replace: Levenshtein's distance. Names are short; longer texts are cut. */
function countChanges(a: string, b: string): number {
	const [from, to] = [a.slice(0, 100), b.slice(0, 100)];
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= to.length; j += 1) {
			const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[to.length] ?? 0;
}
