import { describe, expect, it } from "vitest";
import { importedParts } from "../../../src/model/offline/find-imports.ts";
import { importPattern, readModules } from "../../../src/model/offline/import-patterns.ts";
import { LANGUAGES, languageOf } from "../../../src/model/offline/languages.ts";
import type { NamedScopes } from "../../../src/model/offline/parts.ts";

const whole = (path: string): NamedScopes => ({ name: path, scopes: [{ path, depth: "all" }] });

function contextOf(own: NamedScopes, others: readonly NamedScopes[], modules: Record<string, string> = {}) {
	return { own, others, files: new Set(["inc/own.h"]), modules: new Map(Object.entries(modules)) };
}

/** What a line is found to import, if the search would bring it at all. */
function importOf(file: string, line: string, context: ReturnType<typeof contextOf>): string[] {
	const language = languageOf(file);
	const pattern = language && importPattern([language], context);
	if (pattern === undefined || !new RegExp(pattern).test(line)) return [];
	return importedParts(file, line, context);
}

describe("imports from other parts", () => {
	const app = contextOf(
		whole("src/app"),
		[whole("src/lib"), whole("packages/core"), { name: "(root files)", scopes: [{ path: "", depth: "direct" }] }],
		{ "@acme/core": "packages/core", root: "" },
	);

	it.each([
		["src/app/a.ts", 'import { x } from "../lib/x.ts";', ["src/lib"]],
		["src/app/a.ts", '} from "../lib";', ["src/lib"]],
		["src/app/deep/a.js", "const x = require('../../lib/x');", ["src/lib"]],
		["src/app/a.ts", 'const x = await import("../../main.ts");', ["(root files)"]],
		["src/app/a.ts", 'import core from "@acme/core/deep";', ["packages/core"]],
		["src/app/a.ts", 'import core from "@acme/corelike";', []],
		["src/app/deep/a.ts", 'import { y } from "../y.ts";', []],
		["src/app/a.ts", 'import fs from "node:fs";', []],
		["src/app/a.ts", 'import x from "../../../outside/x.ts";', []],
	])("are seen in JavaScript: %s: %s", (file, line, parts) => {
		expect(importOf(file, line, app)).toEqual(parts);
	});

	const shop = contextOf(whole("shop"), [whole("lib"), whole("src/tools"), whole("json")]);
	it.each([
		["shop/a.py", "from lib.x import y", ["lib"]],
		["shop/a.py", "import lib, os", ["lib"]],
		["shop/a.py", "import os, tools.db as db", ["src/tools"]],
		["shop/sub/a.py", "from ...lib import x", ["lib"]],
		["shop/a.py", "from .sub import x", []],
		["shop/a.py", "from library import x", []],
		["shop/a.py", "import sys", []],
	])("are seen in Python: %s: %s", (file, line, parts) => {
		expect(importOf(file, line, shop)).toEqual(parts);
	});

	const go = contextOf(whole("cmd"), [whole("internal")], { "example.com/shop": "" });
	it.each([
		["cmd/main.go", '\t"example.com/shop/internal/db"', ["internal"]],
		["cmd/main.go", 'import db "example.com/shop/internal/db" // db', ["internal"]],
		["cmd/main.go", '\t"net/http"', []],
		["cmd/main.go", '\t"example.com/shopping/internal"', []],
	])("are seen in Go: %s: %s", (file, line, parts) => {
		expect(importOf(file, line, go)).toEqual(parts);
	});

	const rust = contextOf(whole("crates/cli"), [whole("crates/my-core")], { "my-core": "crates/my-core" });
	const oneCrate = contextOf(whole("src/web"), [
		whole("src/db"),
		{ name: "src (files)", scopes: [{ path: "src", depth: "direct" }] },
	]);
	it.each([
		["crates/cli/src/main.rs", "use my_core::run;", rust, ["crates/my-core"]],
		["crates/cli/src/main.rs", "use std::fs;", rust, []],
		["src/web/page.rs", "use crate::db::Pool;", oneCrate, ["src/db"]],
		["src/web/mod.rs", "pub use super::db::Pool;", oneCrate, ["src/db"]],
		["src/web/page.rs", "use crate::config;", oneCrate, ["src (files)"]],
	])("are seen in Rust: %s: %s", (file, line, context, parts) => {
		expect(importOf(file, line, context)).toEqual(parts);
	});

	const java = contextOf(whole("src/main/java/com/acme/web"), [whole("src/main/java/com/acme/db")]);
	it.each([
		["src/main/java/com/acme/web/A.java", "import com.acme.db.Pool;", ["src/main/java/com/acme/db"]],
		["src/main/java/com/acme/web/A.java", "import static com.acme.db.Pool.open;", ["src/main/java/com/acme/db"]],
		["src/main/java/com/acme/web/A.java", "import com.acme.web.B;", []],
		["src/main/java/com/acme/web/A.java", "import java.util.List;", []],
	])("are seen in Java: %s: %s", (file, line, parts) => {
		expect(importOf(file, line, java)).toEqual(parts);
	});

	const mixed = contextOf(whole("inc"), [whole("lib")]);
	it.each([
		["inc/a.c", '#include "lib/x.h"', ["lib"]],
		["inc/a.c", '# include "../lib/x.h"', ["lib"]],
		["inc/a.c", '#include "own.h"', []],
		["inc/a.c", "#include <lib/x.h>", []],
		["inc/a.rb", "require_relative '../lib/x'", ["lib"]],
		["inc/run.sh", 'source "$(dirname "$0")/../lib/x.sh"', ["lib"]],
		["inc/run.sh", ". ./own.sh", []],
		["inc/notes.md", 'from "../lib/x"', []],
	])("are seen in C, Ruby and shell: %s: %s", (file, line, parts) => {
		expect(importOf(file, line, mixed)).toEqual(parts);
	});
});

describe("module names", () => {
	it("come from the first name in each manifest", () => {
		const modules = readModules([
			{ path: "packages/a/package.json", line: 9, text: '  "name": "Jo"' },
			{ path: "packages/a/package.json", line: 2, text: '  "name": "@x/a",' },
			{ path: "go.mod", line: 1, text: "module example.com/shop" },
			{ path: "crates/b/Cargo.toml", line: 2, text: 'name = "b"' },
		]);
		expect([...modules]).toEqual([
			["@x/a", "packages/a"],
			["example.com/shop", ""],
			["b", "crates/b"],
		]);
	});
});

describe("languages", () => {
	it("have one owner per extension and patterns that compile", () => {
		const extensions = LANGUAGES.flatMap((language) => language.extensions);
		expect(new Set(extensions).size).toBe(extensions.length);
		for (const { exports, entry, imports } of LANGUAGES) {
			for (const pattern of [exports, entry, imports]) if (pattern) expect(() => new RegExp(pattern)).not.toThrow();
		}
	});
});
