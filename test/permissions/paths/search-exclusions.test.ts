import { expect, it } from "vitest";
import { diskFileSystem } from "../../../src/permissions/paths/file-system.ts";
import { searchExclusions } from "../../../src/permissions/paths/search-exclusions.ts";
import { parseRules } from "../../../src/permissions/rules/parse-rule.ts";
import { SOURCE } from "../harness.ts";

it.each([
	[["Read(.env)"], "/work/project", ["/**/.env"]],
	[["Read(./.env)", "Read(secrets/**)"], "/work/project", ["/.env", "/secrets/**"]],
	[["Read(/secrets/*.pem)"], "/work/project", ["/secrets/*.pem"]],
	[["Grep(a/b)"], "/work/project", ["/a/b"]],
	[["Read(//etc/**)", "Read(~/.ssh/**)"], "/work/project", []],
	[["Read(//work/project/x[1])"], "/work/project", ["/x[1]"]],
	[["Read(/sub/secret/**)"], "/work/project/sub", ["/secret/**"]],
	[["Read(/other/secret/**)"], "/work/project/sub", []],
	[["Read(/sub/**)"], "/work/project/sub/deep", ["/**"]],
	[["Read(/**/keys/*)"], "/work/project/sub", ["/**/keys/*"]],
	[["Read(/a/**/keys)"], "/work/project/a/b", ["/**/keys"]],
	[["Edit(a)", "Bash(rm *)", "Read"], "/work/project", []],
])("turns %j into patterns below %s: %j", (deny, cwd, patterns) => {
	const context = { cwd, sessionCwd: "/work/project", homeDir: "/home/ada", files: diskFileSystem, ignoreCase: false };
	const allow = ["Read(b/**)"];
	expect(searchExclusions(parseRules({ deny, allow }, SOURCE).rules, context)).toEqual(patterns);
});
