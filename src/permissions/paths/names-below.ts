/** The names of `path` below `folder`; undefined when it is not below it. */
export function namesBelow(folder: string, path: string): string[] | undefined {
	if (path === folder) return [];
	const prefix = folder === "/" ? "/" : `${folder}/`;
	return path.startsWith(prefix) ? path.slice(prefix.length).split("/") : undefined;
}
