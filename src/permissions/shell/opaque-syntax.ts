// Syntax through which bash runs text that does not stand there as a command. Arithmetic is the least known
// of them: a name in it is evaluated, and `a[$(rm x)]` in a variable runs rm.

import type { SyntaxNode, Word } from "unbash";
import type { Opaque } from "./script.ts";

type Problem = { readonly strength: "problem"; readonly reason: string };

/** What one node (without its children) may hide. */
export function findOpaque(node: SyntaxNode): Opaque | Problem | undefined {
	switch (node.type) {
		case "CommandExpansion":
		case "ProcessSubstitution":
		case "ArithmeticCommandExpansion":
			return node.script === undefined ? problem("a substitution cannot be read") : undefined;
		case "ArithmeticWord":
			return isNumber(node.value) && node.parts === undefined ? undefined : possible("arithmetic on a variable");
		case "ArithmeticExpansion":
			return node.expression === undefined && /[^\s$()[\]]/.test(node.text)
				? possible("arithmetic that cannot be read")
				: undefined;
		case "ArithmeticCommand":
			return node.expression === undefined && node.body.trim() !== ""
				? possible("arithmetic that cannot be read")
				: undefined;
		case "ParameterExpansion":
			if (node.prefix === "!" && node.operation?.type !== "Names") return possible("an indirect expansion");
			return isPlainIndex(node.index) ? undefined : possible("an array index that is evaluated");
		case "Transform":
			return /^[QULEuAaKk]$/.test(node.operand.value) ? undefined : possible("an expansion that is evaluated (@P)");
		case "Slice":
			return [node.offset, node.length].every(isNumberWord) ? undefined : possible("a slice that is evaluated");
		case "Unknown":
			return problem(`the expansion '${node.operator}' is not known`);
		case "Assignment":
			if (EVALUATES_ITS_VALUE.test(node.name)) return possible(`a value of ${node.name}, which bash evaluates`);
			if (RUNS_ITS_VALUE.has(node.name)) return certain(`bash runs what ${node.name} holds`);
			return isPlainIndex(node.index) ? undefined : possible("an array index that is evaluated");
		case "For":
		case "Select":
			return EVALUATES_ITS_VALUE.test(node.name.value)
				? possible(`values of ${node.name.value}, which bash evaluates`)
				: undefined;
		case "TestBinary":
			if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) return undefined;
			return isNumberWord(node.left) && isNumberWord(node.right) ? undefined : possible("arithmetic on a variable");
		case "TestUnary":
			return /^-[vR]$/.test(node.operator) && !/^\w+$/.test(node.operand.text)
				? possible("a variable's name that is evaluated")
				: undefined;
		default:
			return undefined;
	}
}

const RUNS_ITS_VALUE: ReadonlySet<string> = new Set(["PS0", "PS1", "PS2", "PS4", "BASH_ENV", "ENV", "PROMPT_COMMAND"]);

/** bash keeps them as numbers: what they are set to is arithmetic. */
const EVALUATES_ITS_VALUE = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|LINENO)$/;

/** Whether a literal text could be run as a command by something that evaluates it. */
export function holdsCode(text: string): boolean {
	return text.includes("$(") || text.includes("`") || text.includes("${");
}

function isNumber(text: string): boolean {
	return /^(?:0[xX][0-9a-fA-F]+|\d+(?:#[0-9a-zA-Z@_]+)?)?$/.test(text.trim());
}

function isNumberWord(word: Word | undefined): boolean {
	return word === undefined || (word.parts === undefined && /^\s*-?\d*$/.test(word.value));
}

function isPlainIndex(index: Word | undefined): boolean {
	return index === undefined || index.text === "@" || index.text === "*" || isNumberWord(index);
}

function possible(reason: string): Opaque {
	return { strength: "possible", reason };
}

function certain(reason: string): Opaque {
	return { strength: "certain", reason };
}

function problem(reason: string): Problem {
	return { strength: "problem", reason };
}
