// What one built entry loads before its first dynamic import, from the metafile that the build leaves in dist/meta.

import { existsSync, readFileSync } from "node:fs";
import { projectRoot } from "./file-facts.ts";

export interface Metafile {
	readonly outputs: Readonly<
		Record<
			string,
			{
				readonly bytes: number;
				readonly entryPoint?: string;
				readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
				readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
			}
		>
	>;
}

export interface LoadedEntry {
	readonly files: readonly string[];
	readonly bytes: number;
	/** Paths of the sources whose code is in it. */
	readonly sources: readonly string[];
	/** Packages it imports at run time that are not bundled. */
	readonly externals: readonly string[];
}

/** Reads the metafile of an entry, for example `subagent.worker`. */
export function readMetafile(name: string): Metafile {
	const file = `${projectRoot}dist/meta/${name}.json`;
	if (!existsSync(file)) throw new Error(`${name} is not built. Run 'npm run build' first.`);
	return JSON.parse(readFileSync(file, "utf8"));
}

/** Follows the static imports of the file that was built from `source`. */
export function loadedAtStart(metafile: Metafile, source: string): LoadedEntry {
	const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === source);
	if (entry === undefined) throw new Error(`No output was built from ${source}`);
	const files = [entry];
	for (const file of files) {
		for (const { path, kind, external } of metafile.outputs[file]?.imports ?? []) {
			if (!external && kind === "import-statement" && !files.includes(path)) files.push(path);
		}
	}
	const outputs = files.flatMap((file) => metafile.outputs[file] ?? []);
	return {
		files: files.map((file) => file.replace(/^dist(\.next-\d+)?\//, "")),
		bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
		sources: outputs.flatMap(({ inputs }) =>
			Object.entries(inputs)
				.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
				.map(([path]) => path),
		),
		externals: outputs.flatMap(({ imports }) =>
			imports.filter(({ external, kind }) => external && kind === "import-statement").map(({ path }) => path),
		),
	};
}
