// What one source file imports and which watched globals it touches, read from its syntax tree. Independent of
// dependency-cruiser on purpose: when that is misconfigured and finds nothing, these tests still do.

import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface FoundImport {
	/** Path from the project's root for own files, the specifier as written for packages. */
	readonly target: string;
	readonly typeOnly: boolean;
}

export interface FileFacts {
	readonly path: string;
	readonly lines: number;
	readonly imports: readonly FoundImport[];
	/** Dotted names as used: `setTimeout`, `Date.now`, `new Date()`, `process.env`. */
	readonly globals: readonly string[];
}

export const projectRoot = fileURLToPath(new URL("../../", import.meta.url));

/** Paths of the TypeScript files under some folders, from the project's root. */
export function listSources(...folders: readonly string[]): string[] {
	return folders.flatMap((folder) =>
		readdirSync(`${projectRoot}${folder}`, { recursive: true, encoding: "utf8" })
			.map((name) => posix.join(folder, name.replaceAll("\\", "/")))
			.filter((path) => path.endsWith(".ts"))
			.sort(),
	);
}

export function readSource(path: string): string {
	return readFileSync(`${projectRoot}${path}`, "utf8");
}

/** Reads the facts of one file; `text` may be made up. */
export function factsOf(path: string, text: string): FileFacts {
	const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const imports: FoundImport[] = [];
	const globals: string[] = [];
	const visit = (node: ts.Node): void => {
		const found = importIn(node);
		if (found) imports.push({ target: resolveFrom(path, found.specifier), typeOnly: found.typeOnly });
		const name = globalIn(node);
		if (name) globals.push(name);
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return { path, lines: text.split("\n").length - 1, imports, globals };
}

/** The text with the contents of strings, templates and patterns replaced by spaces; lines stay where they are. */
export function blankTexts(path: string, text: string): string {
	const chars = text.split("");
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node)) {
			for (let at = node.getStart(); at < node.getEnd(); at += 1) if (chars[at] !== "\n") chars[at] = " ";
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
	return chars.join("");
}

function importIn(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
	if (ts.isImportDeclaration(node))
		return { specifier: textOf(node.moduleSpecifier), typeOnly: node.importClause?.isTypeOnly === true };
	if (ts.isExportDeclaration(node) && node.moduleSpecifier)
		return { specifier: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly };
	if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0])
		return { specifier: textOf(node.arguments[0]), typeOnly: false };
	if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
		return { specifier: textOf(node.argument.literal), typeOnly: true };
	return undefined;
}

function textOf(node: ts.Node): string {
	return ts.isStringLiteralLike(node) ? node.text : "(computed)";
}

function resolveFrom(path: string, specifier: string): string {
	return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}

function globalIn(node: ts.Node): string | undefined {
	if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) return "new Date()";
	if (ts.isPropertyAccessExpression(node)) return node.getText().replace(/^globalThis\./, "");
	if (ts.isIdentifier(node) && !isNameOfSomethingElse(node)) return node.text;
	return undefined;
}

// `clock.setTimeout`, `{ setTimeout: … }` and `import { setTimeout }` are not uses of the global.
function isNameOfSomethingElse(node: ts.Identifier): boolean {
	const { parent } = node;
	return (
		(ts.isPropertyAccessExpression(parent) && parent.name === node) ||
		((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertySignature(parent)) &&
			parent.name === node) ||
		ts.isImportSpecifier(parent) ||
		ts.isTypeQueryNode(parent)
	);
}
