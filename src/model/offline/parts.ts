// A part of a surveyed tree: one or more scopes. Paths are relative to the tree's root, `/`-separated; "" is the root.

export interface Scope {
	readonly path: string;
	/** `all`: everything below the folder. `direct`: only the files that lie in the folder itself. */
	readonly depth: "all" | "direct";
	/** Folders below it that do not belong to it. @default none */
	readonly except?: readonly string[];
	/** What to look at one by one where a result on all of it was cut. @default its subfolders and own files */
	readonly pieces?: readonly Scope[];
}

export interface NamedScopes {
	readonly name: string;
	readonly scopes: readonly Scope[];
}

/** What one explore agent surveys. */
export interface Part extends NamedScopes {
	/** The tree's root as the person wrote it. */
	readonly root: string;
	/** The rest of the tree, so that imports from it can be recognised. */
	readonly otherParts: readonly NamedScopes[];
}

/** Globs for folders of dependencies and of build output. Hidden ones are skipped as well. */
export const SKIPPED_FOLDERS: readonly string[] = [
	"node_modules",
	"bower_components",
	"jspm_packages",
	"vendor",
	"dist",
	"dist.*",
	"dist-*",
	"build",
	"out",
	"target",
	"coverage",
	"__pycache__",
	"venv",
];

/** Folders that hold no source of the tree's own: hidden ones, dependencies, build output. */
export function isSkippedFolder(name: string): boolean {
	return name.startsWith(".") || /^dist[.-]/.test(name) || SKIPPED_FOLDERS.includes(name);
}

/** What the rules skip, in words, for prompts and reports. */
export const SKIPPED_TEXT = `hidden folders, ${SKIPPED_FOLDERS.join(", ")}`;

/** The topmost skipped folder that `path` (of a file) lies in. */
export function skippedFolderOf(path: string): string | undefined {
	const segments = path.split("/");
	const at = segments.slice(0, -1).findIndex(isSkippedFolder);
	return at < 0 ? undefined : segments.slice(0, at + 1).join("/");
}

export function parentOf(path: string): string {
	const slash = path.lastIndexOf("/");
	return slash < 0 ? "" : path.slice(0, slash);
}

/** Whether a file belongs to a scope. */
export function scopeHolds(scope: Scope, file: string): boolean {
	if (scope.depth === "direct") return parentOf(file) === scope.path;
	if (scope.path !== "" && !file.startsWith(`${scope.path}/`)) return false;
	return !scope.except?.some((folder) => file.startsWith(`${folder}/`));
}

/** The name of the part that a file, or a module path without its extension, belongs to: the deepest scope wins. */
export function ownerOf(path: string, parts: readonly NamedScopes[]): string | undefined {
	let owner: string | undefined;
	let depth = -1;
	for (const part of parts) {
		for (const scope of part.scopes) {
			const isItself = scope.path !== "" && scope.path === path;
			if (!isItself && !scopeHolds(scope, path)) continue;
			const scopeDepth = scope.path === "" ? 0 : scope.path.split("/").length;
			if (scopeDepth > depth) [owner, depth] = [part.name, scopeDepth];
		}
	}
	return owner;
}
