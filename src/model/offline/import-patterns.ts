// What to search for so that imports from other parts are found and few other lines come back. The lines are
// read by find-imports.ts, which has the last word.

import type { ImportContext } from "./find-imports.ts";
import type { ImportStyle, Language } from "./languages.ts";
import { ownerOf, parentOf } from "./parts.ts";

/** The pattern for lines that may lead out of the own part; undefined when none can. */
export function importPattern(languages: readonly Language[], context: ImportContext): string | undefined {
	const { own, others, modules } = context;
	const outside = [...modules].filter(([, folder]) => ownerOf(folder, [own, ...others]) !== own.name);
	const hints: ImportHints = {
		// Files beside their subfolders reach these with `./`; from a whole folder, only `../` leads out.
		up: own.scopes.some(({ depth }) => depth === "direct") ? "\\." : "\\.\\.",
		modules: outside.map(([name]) => escapeRegex(name)),
		folders: [...new Set(others.flatMap(({ scopes }) => scopes.flatMap(({ path }) => path.split("/"))))]
			.filter((name) => name !== "")
			.map(escapeRegex),
	};
	const styles = new Set(languages.map(({ importStyle }) => importStyle).filter((style) => style !== undefined));
	const patterns = [...styles].flatMap((style) => PATTERNS[style](hints));
	return patterns.length === 0 ? undefined : patterns.map((pattern) => `(?:${pattern})`).join("|");
}

/** What may follow the import keyword when something outside the part is meant, as parts of a regular expression. */
interface ImportHints {
	readonly up: string;
	/** Names that manifests outside the part give. */
	readonly modules: readonly string[];
	/** Names of folders in the paths of other parts. */
	readonly folders: readonly string[];
}

const anyOf = (...choices: readonly string[]) => `(?:${choices.join("|")})`;

const PATTERNS: Readonly<Record<ImportStyle, (hints: ImportHints) => string[]>> = {
	javascript: ({ up, modules }) => [`\\b(?:from|import|require)\\b\\s*\\(?\\s*['"]${anyOf(up, ...modules)}`],
	python: ({ up, modules, folders }) => {
		const names = anyOf(...folders, ...modules);
		return [`^\\s*(?:from\\s+(?:${up}|${names}\\b)|import\\s.*\\b${names}\\b)`];
	},
	go: ({ modules }) => (modules.length > 0 ? [`"${anyOf(...modules)}[/"]`] : []),
	rust: ({ modules }) => {
		const crates = modules.map((name) => name.replaceAll("-", "_"));
		return [`^\\s*(?:pub\\s+)?use\\s+${anyOf("crate", "super", ...crates)}::`];
	},
	dotted: ({ folders }) => (folders.length > 0 ? [`^import\\s+(?:static\\s+)?${anyOf(...folders)}\\b`] : []),
	include: ({ folders }) => [`^\\s*#\\s*include\\s*"${anyOf("\\.\\./", ...folders.map((name) => `${name}/`))}`],
	ruby: ({ up, folders }) => [
		`^\\s*require_relative\\s*\\(?\\s*['"]`,
		`^\\s*require\\s*\\(?\\s*['"]${anyOf(up, ...folders)}\\b`,
	],
	source: () => [String.raw`^\s*(?:source|\.)\s+\S`],
};

/** Module names and the folders of the manifests that give them, from search results of MODULE_PATTERN. */
export function readModules(matches: readonly { path: string; line: number; text: string }[]): Map<string, string> {
	const first = new Map<string, { line: number; name: string }>();
	for (const { path, line, text } of matches) {
		const name = /^\s*(?:"name"\s*:\s*"|module\s+|name\s*=\s*")([^"\s]+)/.exec(text)?.[1];
		if (name && line < (first.get(path)?.line ?? Number.POSITIVE_INFINITY)) first.set(path, { line, name });
	}
	return new Map([...first].map(([path, { name }]) => [name, parentOf(path)]));
}

export const MANIFESTS = ["package.json", "go.mod", "Cargo.toml", "pyproject.toml"];
export const MODULE_PATTERN = String.raw`^(\s{0,4}"name"\s*:\s*"|module\s+\S|name\s*=\s*")`;

function escapeRegex(text: string): string {
	return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
