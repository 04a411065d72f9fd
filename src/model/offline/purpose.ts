// What a part says of itself: the first words of its README, of its manifest, and of its largest file.

import type { PartFiles } from "./part-files.ts";
import type { Finding } from "./part-report.ts";
import { compare } from "./plan-parts.ts";
import type { Tree } from "./tree.ts";
import { readCall } from "./tree-calls.ts";

const HEAD_LINES = 60;
const MAX_TEXT = 200;
const MANIFEST = /^(package\.json|Cargo\.toml|pyproject\.toml|go\.mod|composer\.json)$/;

/** What could be read so far. */
export function readPurpose(files: PartFiles, tree: Tree): Finding[] {
	const paths = [...files.lines.keys()];
	const wanted = [
		shallowest(paths.filter((path) => /^readme(\.|$)/i.test(nameOf(path)))),
		shallowest(paths.filter((path) => MANIFEST.test(nameOf(path)))),
		largest(files),
	].filter((path) => path !== undefined);
	return [...new Set(wanted)].flatMap((path) => {
		const answer = tree.asker.ask(readCall(tree.root, path, HEAD_LINES));
		if (!answer) return [];
		if (answer.isError) tree.notes.add(`${path} could not be read: ${answer.text}`);
		const text = answer.isError ? "" : firstWords(path, answer.text);
		return text === "" ? [] : [{ place: path, text }];
	});
}

function firstWords(path: string, text: string): string {
	const name = nameOf(path);
	if (/\.(md|mdx|markdown|rst|adoc|txt)$|^readme$/i.test(name)) return clip(paragraphOf(text));
	if (MANIFEST.test(name)) return clip(describedIn(text));
	return clip(commentOf(text));
}

/** The first paragraph that is prose; a heading where there is none. */
function paragraphOf(text: string): string {
	const body = text.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/<!--[\s\S]*?-->/g, "");
	const blocks = body.split(/\n\s*\n/).map((block) => block.trim());
	const isProse = (block: string) => /^[\p{L}\p{N}"“*_`]/u.test(block) && !/\n[=~-]{3,}$/.test(block);
	const heading = /^#+\s+(.*)$/m.exec(body)?.[1] ?? blocks[0]?.split("\n")[0] ?? "";
	return blocks.find(isProse) ?? heading;
}

function describedIn(manifest: string): string {
	const json = /"description"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(manifest)?.[1];
	const toml = /^description\s*=\s*"((?:[^"\\]|\\.)*)"/m.exec(manifest)?.[1];
	if (json !== undefined) return readJson(json);
	return toml ?? /^module\s+\S+/m.exec(manifest)?.[0] ?? "";
}

/** The comment a source file begins with. */
function commentOf(text: string): string {
	const lines = text.split("\n").map((line) => line.trim());
	if (lines[0]?.startsWith("#!")) lines.shift();
	const start = lines.findIndex((line) => line !== "");
	const words: string[] = [];
	for (const line of lines.slice(Math.max(0, start))) {
		const comment = /^(?:\/\/[/!]?|\/\*+|\*+\/?|#+(?!\[|include|define|if|pragma)|--|;+|"""|''')\s?(.*)$/.exec(
			line,
		)?.[1];
		if (comment === undefined) break;
		words.push(comment.replace(/\s*(\*+\/|"""|''')$/, ""));
	}
	return words.join(" ");
}

function clip(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

function readJson(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		return "";
	}
}

function shallowest(paths: readonly string[]): string | undefined {
	const depth = (path: string) => path.split("/").length;
	return [...paths].sort((a, b) => depth(a) - depth(b) || compare(a, b))[0];
}

function largest(files: PartFiles): string | undefined {
	return [...files.lines].sort(([a, aLines], [b, bLines]) => bLines - aLines || compare(a, b))[0]?.[0];
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
