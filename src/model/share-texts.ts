// System texts and tool lists come from many threads, equal for all agents of one type and each time as a new string.
// One copy is kept of each: tens of kilobytes per call in flight would be carried along by every garbage collection,
// and a text that is known has its hash.

/** Agent types at once, times two. */
const MAX_TEXTS = 128;

/** Answers the kept text that equals the given one; forgets all when too many are kept. */
export function createSharer(): (text: string) => string {
	const texts = new Map<string, string>();
	return (text) => {
		const known = texts.get(text);
		if (known !== undefined) return known;
		if (texts.size >= MAX_TEXTS) texts.clear();
		texts.set(text, text);
		return text;
	};
}
