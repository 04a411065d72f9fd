// HTML to Markdown with a bound on the work: pages are written by anyone, and the conversion runs in the agent's thread.

// The conversion takes about a second per MB, and grows with the square of the depth.
const MAX_HTML_CHARACTERS = 1_000_000;
const MAX_DEPTH = 400;

const UNSEEN = /<(script|style|svg|noscript|template|iframe)\b/gi;
// Elements that hold nothing, or end by themselves when the next one starts.
const UNNESTED =
	/^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|colgroup)$/;

export interface Page {
	readonly title: string;
	readonly markdown: string;
	/** Only the start of the page was converted. */
	readonly cut: boolean;
}

export async function htmlToMarkdown(html: string): Promise<Page> {
	const seen = dropUnseen(html);
	const body = seen.slice(0, MAX_HTML_CHARACTERS);
	const title = decodeEntities(/<title[^>]{0,200}>([^<]{0,500})/i.exec(body)?.[1] ?? "").trim();
	const cut = seen.length > body.length;
	if (depthOf(body) > MAX_DEPTH) return { title, markdown: toPlainText(body), cut };
	const { default: TurndownService } = await import("turndown");
	const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
	turndown.remove(["head", "title", "meta", "link", "button"]);
	try {
		return { title, markdown: tidy(turndown.turndown(body)), cut };
	} catch {
		return { title, markdown: toPlainText(body), cut };
	}
}

/** Takes out what a reader does not see; each part of the text is looked at once. */
function dropUnseen(html: string): string {
	const kept: string[] = [];
	let from = 0;
	UNSEEN.lastIndex = 0;
	for (let start = UNSEEN.exec(html); start; start = UNSEEN.exec(html)) {
		kept.push(html.slice(from, start.index));
		const end = new RegExp(`</${start[1]}[^>]{0,100}>`, "gi");
		end.lastIndex = start.index;
		if (!end.exec(html)) return kept.join("");
		from = end.lastIndex;
		UNSEEN.lastIndex = from;
	}
	kept.push(html.slice(from));
	return kept.join("");
}

function depthOf(html: string): number {
	let depth = 0;
	let deepest = 0;
	for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9-]{0,30})/g)) {
		if (UNNESTED.test(name.toLowerCase())) continue;
		depth = slash ? Math.max(0, depth - 1) : depth + 1;
		deepest = Math.max(deepest, depth);
	}
	return deepest;
}

function toPlainText(html: string): string {
	return tidy(decodeEntities(html.replaceAll(/<[^<>]{0,2000}>/g, "\n")));
}

function tidy(text: string): string {
	return text
		.replaceAll(/[ \t\u00a0]+$/gm, "")
		.replaceAll(/\n{3,}/g, "\n\n")
		.trim();
}

function decodeEntities(text: string): string {
	const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
	return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
		if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}
