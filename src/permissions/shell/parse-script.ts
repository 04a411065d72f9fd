// Parses bash and walks the tree once. Everything that runs ends up in one flat list, however deep it stands:
// lists, pipelines, subshells, loops, functions, substitutions, here-documents.

import {
	type Assignment,
	type Command,
	forEachChild,
	type HereDoc,
	type HereString,
	parse,
	type Redirect,
	type Statement,
	type SyntaxNode,
	type Word,
} from "unbash";
import { findUnaccounted } from "./account.ts";
import { findOpaque, holdsCode } from "./opaque-syntax.ts";
import type {
	Opaque,
	ShellAssignment,
	ShellCommand,
	ShellInput,
	ShellRedirect,
	ShellScript,
	ShellWord,
} from "./script.ts";
import { findExcess } from "./script-limits.ts";
import { readWord, UNKNOWN_WORD, type WordContext, wordOfAssignment } from "./word.ts";

interface Surroundings {
	readonly input: ShellInput;
	readonly forked: boolean;
	readonly inFunction: string | undefined;
	readonly repeated: boolean;
}

const OUTSIDE: ShellInput = { from: "outside" };
const PIPE: ShellInput = { from: "pipe" };

/** Reads a script. Never throws: what cannot be read has a `problem`. */
export function parseScript(source: string, folders: { readonly home: string; readonly cwd: string }): ShellScript {
	const collector = createCollector(wordContext(source, folders));
	try {
		const excess = findExcess(source);
		if (excess !== undefined) collector.fail(excess);
		else {
			const script = parse(source);
			collector.visit(script, { input: OUTSIDE, forked: false, inFunction: undefined, repeated: false });
			const left = findUnaccounted(script, source);
			if (left !== undefined) collector.fail(`it is not clear what '${left.slice(0, 40)}' belongs to`);
			// Upstream: the parser takes the name of a descriptor (`{a[…]}>file`) for a word.
			if (/(?<![$\w])\{\w+\[/.test(source) && /\]\}[<>]/.test(source)) collector.mayRun("the name of a descriptor");
		}
	} catch (thrown) {
		// Nesting deeper than the stack.
		collector.fail(thrown instanceof Error ? thrown.message : String(thrown));
	}
	return collector.finish();
}

// A variable that the script mentions other than by reading it may have been set by it.
function wordContext(source: string, folders: { readonly home: string; readonly cwd: string }): WordContext {
	const isSet = (name: string) => new RegExp(`(?<!\\$\\{?)\\b${name}\\b`).test(source);
	const moves = /\b(?:cd|pushd|popd)\b/.test(source);
	return { home: isSet("HOME") ? undefined : folders.home, cwd: moves || isSet("PWD") ? undefined : folders.cwd };
}

function createCollector(context: WordContext) {
	const commands: ShellCommand[] = [];
	const redirects: ShellRedirect[] = [];
	const variables: ShellAssignment[] = [];
	const functions: string[] = [];
	const loopWords: ShellWord[] = [];
	const otherWords: ShellWord[] = [];
	const opaque: Opaque[] = [];
	let problem: string | undefined;
	let code = false;

	const fail = (reason: string) => {
		problem ??= reason;
	};
	const mayRun = (reason: string) => void opaque.push({ strength: "possible", reason });
	const read = (word: Word) => {
		const shellWord = readWord(word, context);
		// The text between a pattern's brackets is none of the word's own.
		const patterns = word.parts?.filter(({ type }) => type === "Glob" || type === "ExtendedGlob") ?? [];
		code ||= shellWord.text.some(holdsCode) || patterns.some((part) => holdsCode(part.text));
		return shellWord;
	};

	function visit(node: SyntaxNode, around: Surroundings): void {
		const found = findOpaque(node);
		if (found?.strength === "problem") fail(found.reason);
		else if (found) opaque.push({ strength: found.strength, reason: found.reason });
		switch (node.type) {
			case "Script":
				if (node.errors && node.errors.length > 0) fail(node.errors[0]?.message ?? "syntax error");
				return visitChildren(node, around);
			case "Statement":
				return visitChildren(node, { ...around, forked: around.forked || isBackground(node) });
			case "Pipeline":
				return visitPipeline(node.commands, around);
			case "Command":
				return void visitCommand(node, around);
			case "Redirected": {
				const inner = { ...around, input: inputOf(node.redirects, around.input) };
				for (const redirect of node.redirects) visit(redirect, around);
				return visit(node.command, inner);
			}
			case "Function":
				functions.push(node.name.value);
				return visit(node.body, { input: PIPE, forked: false, inFunction: node.name.value, repeated: true });
			case "FileDescriptorVariable":
				return void variables.push(setBySyntax(node.name));
			case "Coproc":
				if (node.name) variables.push(setBySyntax(node.name.value));
				return visitChildren(node, { ...around, input: PIPE, forked: true });
			case "ProcessSubstitution":
				return visitChildren(node, { ...around, input: node.operator === ">" ? PIPE : around.input, forked: true });
			case "For":
			case "Select":
				variables.push({ name: node.name.value, raw: `${node.name.text}=`, value: undefined, byLoop: true });
				loopWords.push(...(node.wordlist ?? []).map(read));
				return visitBelow(node, { ...around, repeated: true });
			case "While":
			case "ArithmeticFor":
				return visitChildren(node, { ...around, repeated: true });
			case "ParameterExpansion":
				// ${x:=value} sets x.
				if (node.operation?.type === "Default" && node.operation.operator.endsWith("=")) {
					variables.push({ name: node.parameter, raw: node.text, value: undefined, byLoop: false });
				}
				return visitChildren(node, around);
			case "Redirect":
			case "HereString":
			case "HereDoc":
				addRedirect(node);
				return visitBelow(node, around);
			case "Word":
				otherWords.push(read(node));
				return visitChildren(node, around);
			case "ArithmeticWord":
				// Quotes keep nothing from being expanded here.
				code ||= holdsCode(node.value);
				return visitChildren(node, around);
			default:
				return visitChildren(node, around);
		}
	}

	function visitChildren(node: SyntaxNode, around: Surroundings): void {
		forEachChild(node, (child) => visit(child, around));
	}

	/** The same for what has words of its own, which are taken down elsewhere. */
	function visitBelow(node: SyntaxNode, around: Surroundings): void {
		forEachChild(node, (child) => (child.type === "Word" ? visitChildren(child, around) : visit(child, around)));
	}

	function visitPipeline(parts: readonly SyntaxNode[], around: Surroundings): void {
		let input = around.input;
		for (const part of parts) {
			const inside = { ...around, input, forked: around.forked || parts.length > 1 };
			const command = part.type === "Command" ? visitCommand(part, inside) : visit(part, inside);
			input = command ? { from: "pipe", command } : PIPE;
		}
	}

	function visitCommand(node: Command, around: Surroundings): ShellCommand {
		// Order: what a command's own words run is listed before it, as it runs before it.
		visitBelow(node, around);
		const args = node.args.map((arg) => (arg.type === "Word" ? read(arg) : wordOfAssignment(readAssignment(arg))));
		const command: ShellCommand = {
			assignments: node.prefix.flatMap((part) => (part.type === "Assignment" ? [readAssignment(part)] : [])),
			words: node.name ? [read(node.name), ...args] : [],
			input: inputOf(node.redirects, around.input),
			forked: around.forked,
			inFunction: around.inFunction,
			repeated: around.repeated,
		};
		if (!node.name) variables.push(...command.assignments);
		commands.push(command);
		return command;
	}

	function readAssignment(node: Assignment): ShellAssignment {
		const value = node.value.type === "Word" && node.index === undefined ? read(node.value) : undefined;
		return { name: node.name, raw: node.text, value, byLoop: false };
	}

	function addRedirect(node: Redirect | HereString | HereDoc): void {
		if (node.type === "HereDoc") {
			code ||= holdsCode(node.body.text);
			if (node.body.parts !== undefined) otherWords.push(UNKNOWN_WORD);
			return node.closing ? undefined : fail("a here-document has no end");
		}
		if (!node.target) return fail("a redirection has no target");
		const target = read(node.target);
		// Upstream: bash 5.2 expands this word a second time, quoted or not: `>&'$(rm x)'` runs rm.
		if (/^[<>]&$/.test(node.operator) && !/^[\w./~%+,:=@-]+$/.test(target.raw)) {
			opaque.push({ strength: "certain", reason: `bash evaluates what stands behind ${node.operator}` });
		}
		if (node.type === "HereString") otherWords.push(target);
		redirects.push({ operator: node.operator, target, access: accessOf(node.operator, target.value) });
	}

	function inputOf(list: Command["redirects"], inherited: ShellInput): ShellInput {
		let input = inherited;
		for (const redirect of list) {
			if (redirect.type === "HereString") {
				const word = redirect.target ? read(redirect.target) : undefined;
				input = { from: "text", text: word?.value ?? word?.raw ?? "", known: word?.value !== undefined };
			} else if (redirect.type === "HereDoc") {
				input = { from: "text", text: redirect.body.text, known: redirect.body.parts === undefined };
			} else if (redirect.operator === "<" || redirect.operator === "<>") input = { from: "file" };
			else if (redirect.operator === "<&") input = PIPE;
		}
		return input;
	}

	function finish(): ShellScript {
		return { commands, redirects, variables, functions, loopWords, otherWords, opaque, problem, holdsCode: code };
	}

	return { visit, fail, mayRun, finish };
}

/** A variable that is set by what is neither an assignment nor a command: `{NAME}<file`. */
function setBySyntax(name: string): ShellAssignment {
	return { name, raw: `${name}=`, value: undefined, byLoop: false };
}

function isBackground(node: Statement): boolean {
	return node.background === true;
}

function accessOf(operator: string, target: string | undefined): ShellRedirect["access"] {
	if (operator === "<<<") return "descriptor";
	if (operator === "<&" || operator === ">&") {
		const duplicates = target !== undefined && /^(?:\d+-?|-)$/.test(target);
		if (duplicates) return "descriptor";
	}
	return operator === "<" || operator === "<&" ? "read" : "write";
}
