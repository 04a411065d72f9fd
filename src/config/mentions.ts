// Finds the files that a prompt names with `@path`. What stands in code is no mention.

import { findImports, importCandidates } from "./imports.ts";

export interface Mention {
	/** As written, without the `@`. */
	readonly written: string;
	/** The readings of it to try, longest first: a mention may end a sentence. */
	readonly candidates: readonly MentionedFile[];
}

export interface MentionedFile {
	/** `~` is filled in. */
	readonly path: string;
	/** From `@path#L10-20`: the first line, and how many. */
	readonly lines?: { readonly offset: number; readonly limit: number };
}

/** Each file once, in the order of the text. */
export function findMentions(text: string, homeDir: string): readonly Mention[] {
	return findImports(text).map((written) => ({
		written,
		candidates: importCandidates(written).map((path) => readPath(path.replace(/^~(?=\/)/, homeDir))),
	}));
}

function readPath(written: string): MentionedFile {
	const [, path, first, last] = /^(.+)#L(\d+)(?:-L?(\d+))?$/.exec(written) ?? [];
	if (path === undefined) return { path: written };
	const offset = Math.max(1, Number(first));
	const limit = last === undefined ? 1 : Number(last) - offset + 1;
	return limit < 1 ? { path: written } : { path, lines: { offset, limit } };
}
