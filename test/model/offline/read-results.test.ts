import { describe, expect, it } from "vitest";
import {
	findPrefix,
	readCounts,
	readFolder,
	readGlob,
	readLines,
	readMatches,
} from "../../../src/model/offline/read-results.ts";

const ok = (text: string) => ({ text, isError: false });

describe("results of glob", () => {
	it("are nothing when nothing matches", () => {
		expect(readGlob(ok("(no matches)"))).toEqual({ paths: [], total: 0, isCut: false });
	});

	it("count what was left out", () => {
		expect(readGlob(ok("a.ts\nb.ts\n... (248 more files; narrow the pattern or the path)"))).toEqual({
			paths: ["a.ts", "b.ts"],
			total: 250,
			isCut: true,
		});
	});

	it("take the least that is known of a very large folder", () => {
		const text =
			"a.ts\n... (more than 20000 files match; these are the newest of the first ones found, narrow the pattern)";
		expect(readGlob(ok(text))).toEqual({ paths: ["a.ts"], total: 20_000, isCut: true });
	});
});

describe("results of grep", () => {
	it("say when they were cut", () => {
		expect(readLines(ok("a:1\n... (more matches; raise limit or narrow the search)"))).toEqual({
			lines: ["a:1"],
			more: 0,
			isCut: true,
			notes: [],
		});
	});

	it("count as cut, with no line to trust, when the agent loop moved them to a file", () => {
		const text = '<persisted-output path="/o/1.txt" characters="60000">\na:1\nb:</persisted-output>';
		expect(readLines(ok(text))).toEqual({ lines: [], more: 0, isCut: true, notes: [] });
	});

	it("keep what the tool says besides", () => {
		expect(readLines(ok("a:1\n[some files could not be searched: x: Permission denied]")).notes).toEqual([
			"some files could not be searched: x: Permission denied",
		]);
	});

	it("give counts, also for names with colons", () => {
		expect([...readCounts(["a.ts:3", "we:1:ird.ts:12", "no count"])]).toEqual([
			["a.ts", 3],
			["we:1:ird.ts", 12],
		]);
	});

	it("give matches, and know files with colons by name", () => {
		const known = new Set(["we:1:ird.ts"]);
		expect(readMatches(["a.ts:3:x:4:y", "we:1:ird.ts:7:// TODO", "--"], (path) => known.has(path))).toEqual([
			{ path: "a.ts", line: 3, text: "x:4:y" },
			{ path: "we:1:ird.ts", line: 7, text: "// TODO" },
		]);
	});
});

describe("a folder listing", () => {
	it("tells folders from files", () => {
		expect(readFolder(ok("src/\n.git/\na b.txt"))).toEqual({ folders: ["src", ".git"], files: ["a b.txt"] });
	});
});

describe("the prefix of shown paths", () => {
	const any = () => true;

	it("is empty when the tools work in the tree's root", () => {
		expect(findPrefix(["src/a.ts", "b.ts"], "/w/shop", any)).toBe("");
		expect(findPrefix(["src/a.ts"], ".", any)).toBe("");
	});

	it("is the end of the root's path when they work above it", () => {
		expect(findPrefix(["shop/src/a.ts", "shop/b.ts"], "/w/shop", any)).toBe("shop/");
		expect(findPrefix(["w/shop/a.ts"], "/w/shop", any)).toBe("w/shop/");
		expect(findPrefix(["shop/a.ts"], "./shop/", any)).toBe("shop/");
	});

	it("is the root when they work elsewhere", () => {
		expect(findPrefix(["/w/shop/a.ts"], "/w/shop", any)).toBe("/w/shop/");
	});

	it("tells a folder from a root of the same name by what it must hold", () => {
		expect(findPrefix(["shop/a.ts"], "/w/shop", (path) => path.startsWith("shop/"))).toBe("");
	});

	it("is the common folder when a symlink gave the root another name", () => {
		expect(findPrefix(["/real/x/a.ts", "/real/x/b/c.ts"], "/link", any)).toBe("/real/x/");
	});
});
