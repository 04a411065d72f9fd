// Tells which other part an import line reaches, from the line, the file it stands in and the names that
// package.json, go.mod, Cargo.toml and the like give to folders. Says nothing where that is not enough.

import { type ImportStyle, languageOf } from "./languages.ts";
import { type NamedScopes, ownerOf, parentOf } from "./parts.ts";

export interface ImportContext {
	readonly own: NamedScopes;
	readonly others: readonly NamedScopes[];
	/** Files of the own part. */
	readonly files: ReadonlySet<string>;
	/** Package or module name → folder. */
	readonly modules: ReadonlyMap<string, string>;
}

/** The names of other parts that the import statement `line` of `file` reaches. */
export function importedParts(file: string, line: string, context: ImportContext): string[] {
	const language = languageOf(file);
	if (!language?.imports || !language.importStyle || !new RegExp(language.imports).test(line)) return [];
	const parts = [context.own, ...context.others];
	const owners = FINDERS[language.importStyle](file, line, context).map((target) =>
		"path" in target ? ownerOf(target.path, parts) : ownerOfModule(target.module, parts),
	);
	return [...new Set(owners)].filter((owner) => owner !== undefined && owner !== context.own.name) as string[];
}

/** What an import names: a place in the tree, or a dotted module whose root folder is not known. */
type Target = { readonly path: string } | { readonly module: readonly string[] };
type Finder = (file: string, line: string, context: ImportContext) => Target[];

const FINDERS: Readonly<Record<ImportStyle, Finder>> = {
	javascript(file, line, { modules }) {
		const specifiers = [...line.matchAll(/\b(?:from|import|require)\b\s*\(?\s*['"]([^'"]+)['"]/g)].map(
			(m) => m[1] ?? "",
		);
		return specifiers.flatMap((specifier) =>
			specifier.startsWith(".") ? at(join(parentOf(file), specifier)) : at(inModule(specifier, modules, "/")),
		);
	},
	python(file, line, { modules }) {
		const from = /^\s*from\s+(\.*)([\w.]*)\s+import\b/.exec(line);
		if (from?.[1]) {
			const up = "../".repeat(from[1].length - 1);
			return at(join(parentOf(file), up + (from[2] ?? "").replaceAll(".", "/")));
		}
		const names = from ? [from[2] ?? ""] : line.replace(/^\s*import\s+/, "").split(",");
		return names.flatMap((name) => {
			const dotted = /^\s*([\w.]+)/.exec(name)?.[1] ?? "";
			const known = modules.has(dotted.split(".")[0] ?? "")
				? inModule(dotted.replaceAll(".", "/"), modules, "/")
				: undefined;
			return known === undefined ? [{ module: dotted.split(".") }] : at(known);
		});
	},
	go: (_file, line, { modules }) => at(inModule(/"([^"]+)"/.exec(line)?.[1] ?? "", modules, "/")),
	rust(file, line, { modules }) {
		const path = /\buse\s+([\w:]+)/.exec(line)?.[1]?.split("::").filter(Boolean) ?? [];
		const [first = "", ...rest] = path;
		if (first === "crate") return at(join(crateRootOf(file), rest.join("/")));
		if (first === "super") return at(join(superOf(file), rest.join("/")));
		const name = [first, first.replaceAll("_", "-")].find((key) => modules.has(key));
		return name === undefined ? [] : at(modules.get(name));
	},
	dotted: (_file, line) => [{ module: (/^import\s+(?:static\s+)?([\w.]+)/.exec(line)?.[1] ?? "").split(".") }],
	include(file, line, { files }) {
		const specifier = /"([^"]+)"/.exec(line)?.[1] ?? "";
		const beside = join(parentOf(file), specifier);
		if (specifier.startsWith(".") || (beside !== undefined && files.has(beside))) return at(beside);
		return specifier.includes("/") ? at(join("", specifier)) : [];
	},
	ruby(file, line) {
		const specifier = /['"]([^'"]+)['"]/.exec(line)?.[1] ?? "";
		if (line.includes("require_relative")) return at(join(parentOf(file), specifier));
		return [{ module: specifier.split("/") }];
	},
	source: (file, line) => at(join(parentOf(file), /(\.{1,2}\/[^\s"';)]*)/.exec(line)?.[1] ?? ".")),
};

function at(path: string | undefined): Target[] {
	return path === undefined ? [] : [{ path }];
}

/** The path that `specifier` leads to from `folder`; undefined outside the tree. */
function join(folder: string, specifier: string): string | undefined {
	const segments = folder === "" ? [] : folder.split("/");
	for (const segment of specifier.split("/")) {
		if (segment === "" || segment === ".") continue;
		if (segment !== "..") segments.push(segment);
		else if (segments.pop() === undefined) return undefined;
	}
	return segments.join("/");
}

/** The folder behind a module name and what follows it; the longest name wins. */
function inModule(specifier: string, modules: ReadonlyMap<string, string>, separator: string): string | undefined {
	const segments = specifier.split(separator);
	for (let length = segments.length; length > 0; length -= 1) {
		const folder = modules.get(segments.slice(0, length).join(separator));
		if (folder !== undefined) return join(folder, segments.slice(length).join("/"));
	}
	return undefined;
}

function crateRootOf(file: string): string {
	const segments = parentOf(file).split("/");
	const src = segments.lastIndexOf("src");
	return src < 0 ? parentOf(file) : segments.slice(0, src + 1).join("/");
}

// `super` of a.rs is its folder; of mod.rs, lib.rs and main.rs it is the folder above.
function superOf(file: string): string {
	return /(^|\/)(mod|lib|main)\.rs$/.test(file) ? parentOf(parentOf(file)) : parentOf(file);
}

const SOURCE_ROOTS = /^(src|lib|python|app\/src|src\/(main|test)\/(java|kotlin|scala))$/;

// A module's name starts at the tree's root or at a source root: `src/shop/cart` holds `shop.cart.…`.
function ownerOfModule(module: readonly string[], parts: readonly NamedScopes[]): string | undefined {
	const name = module.join("/");
	let owner: string | undefined;
	let longest = 0;
	for (const part of parts) {
		for (const scope of part.scopes) {
			const segments = scope.path.split("/");
			for (let start = 0; start < segments.length; start += 1) {
				const inside = segments.slice(start).join("/");
				const isRooted = start === 0 || isSourceRoot(segments.slice(0, start));
				const fits = name === inside || name.startsWith(`${inside}/`);
				if (inside === "" || !isRooted || !fits || inside.length <= longest) continue;
				if (scope.depth === "direct" && module.length > segments.length - start + 2) continue;
				[owner, longest] = [part.name, inside.length];
			}
		}
	}
	return owner;
}

function isSourceRoot(segments: readonly string[]): boolean {
	return segments.some((_, from) => SOURCE_ROOTS.test(segments.slice(from).join("/")));
}
