import { describe, expect, it } from "vitest";
import { findImports, importCandidates } from "../../src/config/imports.ts";

describe("findImports", () => {
	it.each([
		["See @README.md and @docs/a.md.", ["README.md", "docs/a.md."]],
		["@~/notes.md\n@/abs/x.md\n@./here.md\n@../up.md", ["~/notes.md", "/abs/x.md", "./here.md", "../up.md"]],
		["- @a.md\n(@b.md)", ["a.md", "b.md)"]],
		["mail me@example.com or a@b", []],
		["@my\\ notes.md", ["my notes.md"]],
		["@a.md @a.md", ["a.md"]],
		["In code `@a.md` and ``x ` @b.md`` but @c.md", ["c.md"]],
		["A lone ` tick @a.md", ["a.md"]],
		["```\n@a.md\n```\n@b.md", ["b.md"]],
		["~~~ts\n@a.md\n```\n@b.md\n~~~\n@c.md", ["c.md"]],
		["````\n```\n@a.md\n````\n@b.md", ["b.md"]],
		["```\n@never.closed", []],
		["Text\n\n    @indented.code\n\n@b.md", ["b.md"]],
		["- item\n    @in.list", ["in.list"]],
		["@", []],
	])("finds in %j the imports %j", (text, imports) => {
		expect(findImports(text)).toEqual(imports);
	});

	it("tries a path without the sentence's end too", () => {
		expect(importCandidates("docs/a.md.")).toEqual(["docs/a.md.", "docs/a.md"]);
		expect(importCandidates("docs/a.md")).toEqual(["docs/a.md"]);
		expect(importCandidates("...")).toEqual(["..."]);
	});
});
