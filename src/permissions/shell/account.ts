// A second look at a parsed script: does the tree account for every character of the text? The parser mends what
// is broken and may leave a piece out; a piece left out could run something. Between words only blanks, operators,
// reserved words and comments may stand, and a comment only where bash begins one.

import { forEachChild, type SyntaxNode, type Word } from "unbash";

type Script = Extract<SyntaxNode, { type: "Script" }>;

interface Span {
	readonly pos: number;
	readonly end: number;
	/** Stands on lines of its own, so what comes before may touch it. */
	readonly isText?: true;
}

const RESERVED =
	/(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc|time)(?![^\s;&|()<>])|[{}!]|\[\[|\]\]/y;
const OPERATORS = /[\s;&|()]+/y;
const BETWEEN_COMMANDS = { separators: OPERATORS, reserved: RESERVED };
const IN_ARRAY = { separators: /\s+/y, reserved: /(?!)/y };
const CONTINUATION = /\\\n/y;
const COMMENT = /#[^\n]*/y;

// In text that stands outside of quotes.
const RUNS = /`|\$\(|[<>]\(/;
const ENDS_WORD = /[ \t\n<>()|&;'"`]|\$[({['"\w?!#@*$-]/;

/** The first piece of the text that the tree leaves out, or undefined. */
export function findUnaccounted(script: Script, source: string): string | undefined {
	const text = script.source ?? source;
	const spans: Span[] = [];
	const inner: Script[] = [];
	let odd: string | undefined;

	function visit(node: SyntaxNode): void {
		if (odd !== undefined) return;
		if (isLeaf(node)) {
			spans.push(node);
			odd ??= findLoosePart(node, text) ?? findDisguised(node);
			collectScripts(node);
			return;
		}
		if (node.type === "HereDoc") {
			spans.push(node);
			for (const part of [node.body, node.closing])
				if (part) spans.push({ pos: part.pos, end: part.end, isText: true });
			collectScripts(node);
			return;
		}
		forEachChild(node, visit);
	}

	function collectScripts(node: SyntaxNode): void {
		odd ??= findLoosePart(node, text);
		if (node.type === "Word" && bareTexts(node).some((bare) => RUNS.test(bare))) odd ??= node.text;
		if (node.type === "Script") inner.push(node);
		else forEachChild(node, collectScripts);
	}

	forEachChild(script, visit);
	odd ??= findGap(spans, script, text);
	for (const each of inner) odd ??= findUnaccounted(each, text);
	return odd;
}

function isLeaf(node: SyntaxNode): boolean {
	if (/^(?:Test|Arithmetic)/.test(node.type)) return node.type !== "TestCommand" && node.type !== "ArithmeticFor";
	return /^(?:Word|Assignment|Redirect|HereString|Time|Negation)$/.test(node.type);
}

// The parts of a word follow one another without a hole, and so do the elements of an array but for blanks.
function findLoosePart(node: SyntaxNode, text: string): string | undefined {
	if (node.type === "Word") return findHole(node, text);
	if (node.type !== "Assignment") return undefined;
	if (node.value.type === "Word") return node.value.text.startsWith("(") ? node.value.text : undefined;
	const { elements, pos, end } = node.value;
	let at = pos + 1;
	for (const element of [...elements, { pos: end - 1, end }]) {
		const bad = judgeGap(text.slice(at, element.pos), at > pos + 1, IN_ARRAY);
		if (bad !== undefined) return bad;
		at = element.end;
	}
	return end === node.end ? undefined : text.slice(end, node.end);
}

function findHole(word: Word, text: string): string | undefined {
	if (word.parts === undefined) return undefined;
	let at = word.pos;
	for (const part of word.parts) {
		if (part.pos !== at) return text.slice(at, part.pos);
		at = part.end;
	}
	return at === word.end ? undefined : text.slice(at, word.end);
}

// A word, a target or a value without quotes cannot hold what ends a word or begins an expansion.
function findDisguised(node: SyntaxNode): string | undefined {
	if (node.type === "Assignment") return node.value.type === "Word" ? findDisguised(node.value) : undefined;
	if (node.type === "Redirect" || node.type === "HereString") return node.target && findDisguised(node.target);
	return node.type === "Word" ? bareTexts(node).find((bare) => ENDS_WORD.test(bare)) : undefined;
}

function bareTexts(word: Word): string[] {
	const texts = word.parts?.flatMap((part) => (part.type === "Literal" ? [part.text] : [])) ?? [word.text];
	return texts.map((text) => text.replace(/\\[\s\S]/g, ""));
}

function findGap(spans: readonly Span[], script: Span, text: string): string | undefined {
	let at = script.pos;
	let afterWord = false;
	let isSubstituted = false;
	for (const span of [...spans].sort((one, other) => one.pos - other.pos)) {
		if (span.pos < at) return text.slice(span.pos, span.end);
		const piece = text.slice(span.pos, span.end);
		// Two words without anything between them are one word to bash.
		if (afterWord && !span.isText && span.pos === at && (isSubstituted || /^[<>]\(|^[^<>&]/.test(piece))) return piece;
		const bad = judgeGap(text.slice(at, span.pos), afterWord);
		if (bad !== undefined) return bad;
		at = span.end;
		afterWord = true;
		isSubstituted = /^[<>]\(/.test(piece);
	}
	return judgeGap(text.slice(at, script.end), afterWord);
}

function judgeGap(gap: string, afterWord: boolean, allowed = BETWEEN_COMMANDS): string | undefined {
	let at = 0;
	let mayComment = !afterWord;
	const skip = (pattern: RegExp) => {
		pattern.lastIndex = at;
		const found = pattern.exec(gap);
		if (found) at += found[0].length;
		return found !== null;
	};
	while (at < gap.length) {
		if (skip(CONTINUATION)) continue;
		if (skip(allowed.separators)) mayComment = true;
		else if (mayComment && skip(COMMENT)) continue;
		else if (skip(allowed.reserved)) mayComment = false;
		else return gap.slice(at);
	}
	return undefined;
}
