// Says where a JSON text goes wrong. JSON.parse decides whether it does; on Node 20 its message has no place for
// most faults, so this reads the text once more, token by token, and stops at the first that does not fit.

export interface JsonFault {
	readonly line: number;
	readonly column: number;
	readonly reason: string;
}

type Token = "{" | "}" | "[" | "]" | ":" | "," | "scalar" | "string";
type Expected = "value" | "value or ]" | "key in double quotes" | "key in double quotes or }" | ":" | "comma or end";
type Step = Expected | "done" | undefined;

/** The first place where `text` is not JSON, or undefined when it is. */
export function findJsonFault(text: string): JsonFault | undefined {
	const open: Token[] = [];
	let expected = "value" as Expected | "done";
	let at = skipBlanks(text, 0);
	while (at < text.length) {
		const token = tokenAt(text, at);
		const next: Step = token && expected !== "done" ? step(token.kind, expected, open) : undefined;
		if (!token || next === undefined) return faultAt(text, at, explain(text, at, expected));
		expected = next;
		at = skipBlanks(text, token.end);
	}
	return expected === "done" ? undefined : faultAt(text, at, `the text ends where a ${expected} is expected`);
}

/** The first key that stands twice in one object, where `isWatched` says so of the keys above it. Of text that is JSON. */
export function findTwinKey(
	text: string,
	isWatched: (above: readonly string[], key: string) => boolean,
): JsonFault | undefined {
	const above: string[] = [];
	const open: Set<string>[] = [];
	let key: string | undefined;
	for (let at = skipBlanks(text, 0); at < text.length; ) {
		const token = tokenAt(text, at);
		if (!token) return undefined;
		const next = skipBlanks(text, token.end);
		if (token.kind === "{" || token.kind === "[") {
			above.push(key ?? "");
			open.push(new Set());
		} else if (token.kind === "}" || token.kind === "]") {
			above.pop();
			open.pop();
		} else if (token.kind === "string" && text.charAt(next) === ":") {
			key = JSON.parse(text.slice(at, token.end)) as string;
			const keys = open.at(-1);
			if (keys?.has(key) && isWatched(above.slice(1), key)) {
				return faultAt(text, at, `the key "${key}" stands here a second time; only this one counts`);
			}
			keys?.add(key);
		}
		at = next;
	}
	return undefined;
}

const BLANKS = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

function skipBlanks(text: string, at: number): number {
	BLANKS.lastIndex = at;
	return BLANKS.test(text) ? BLANKS.lastIndex : at;
}

function tokenAt(text: string, at: number): { readonly kind: Token; readonly end: number } | undefined {
	const char = text.charAt(at);
	if ("{}[]:,".includes(char)) return { kind: char as Token, end: at + 1 };
	const pattern = char === '"' ? STRING : SCALAR;
	pattern.lastIndex = at;
	if (!pattern.test(text)) return undefined;
	return { kind: char === '"' ? "string" : "scalar", end: pattern.lastIndex };
}

// What may follow `token`, given what was expected; undefined where it does not fit.
function step(token: Token, expected: Expected, open: Token[]): Step {
	const afterValue = (): Step => (open.length === 0 ? "done" : "comma or end");
	const close = (): Step => {
		open.pop();
		return afterValue();
	};
	if (expected === ":") return token === ":" ? "value" : undefined;
	if (expected === "comma or end") {
		const inObject = open.at(-1) === "{";
		if (token === ",") return inObject ? "key in double quotes" : "value";
		return token === (inObject ? "}" : "]") ? close() : undefined;
	}
	if (expected === "key in double quotes" || expected === "key in double quotes or }") {
		if (token === "string") return ":";
		return token === "}" && expected.endsWith("}") ? close() : undefined;
	}
	if (token === "string" || token === "scalar") return afterValue();
	if (token === "]" && expected === "value or ]") return close();
	if (token !== "{" && token !== "[") return undefined;
	open.push(token);
	return token === "{" ? "key in double quotes or }" : "value or ]";
}

function explain(text: string, at: number, expected: Expected | "done"): string {
	const char = text.charAt(at);
	if (char === "/" || char === "#") return "comments are not allowed in JSON";
	if (char === "'") return "JSON takes double quotes only";
	if (char === '"' && !tokenAt(text, at)) return "this text has no closing quote, or a line break or bad escape in it";
	const wantsMore = expected === "value" || expected === "key in double quotes";
	if (wantsMore && (char === "}" || char === "]")) return `there must be no comma before ${char}`;
	if (expected === "done") return `'${char}' stands after the end of the JSON value`;
	return `found '${char}' where a ${expected} is expected`;
}

function faultAt(text: string, at: number, reason: string): JsonFault {
	const before = text.slice(0, at).split("\n");
	return { line: before.length, column: (before.at(-1) ?? "").length + 1, reason };
}
