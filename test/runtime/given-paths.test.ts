import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { checkModule } from "../../src/runtime/options/given-paths.ts";
import { resolveOptions } from "../../src/runtime/options/options.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { makeTempDir } from "../store/temp-dir.ts";

describe("a module that a program names", () => {
	test("is taken as a path, a file URL or its text, and is not loaded", async () => {
		const file = join(makeTempDir(), "a tool.mjs");
		writeFileSync(file, "this is no JavaScript");
		const url = pathToFileURL(file);
		for (const given of [file, url, url.href]) expect(await checkModule("tool module", given)).toBe(url.href);
	});

	test("is refused when it is not there, no file, or named in another way", async () => {
		const folder = makeTempDir();
		mkdirSync(join(folder, "lib"));
		writeFileSync(join(folder, "tool.ts"), "");
		const refusals: readonly [string, string, string][] = [
			["/nope/rel.js", "ERR_FILE", "The tool module /nope/rel.js cannot be used: it does not exist"],
			[join(folder, "lib"), "ERR_FILE", `The tool module ${join(folder, "lib")} cannot be used: it is not a file`],
			["./tool.js", "ERR_BAD_OPTION", "The tool module './tool.js' is neither an absolute path nor a file URL"],
			["file:tool.js", "ERR_BAD_OPTION", "The tool module 'file:tool.js' is neither an absolute path nor a file URL"],
			["data:text/javascript,0", "ERR_BAD_OPTION", "is neither an absolute path nor a file URL"],
		];
		for (const [given, code, message] of refusals) {
			await expect(checkModule("tool module", given)).rejects.toMatchObject({
				code,
				message: expect.stringContaining(message),
			});
		}
	});

	test.runIf(!("typescript" in process.features && process.features.typescript))(
		"is refused in TypeScript where threads cannot load that",
		async () => {
			const file = join(makeTempDir(), "tool.ts");
			writeFileSync(file, "");
			await expect(checkModule("tool module", file)).rejects.toMatchObject({
				code: "ERR_FILE",
				message: `The tool module ${file} cannot be used: this Node loads no TypeScript in threads. Name the JavaScript it is built to, or use Node 22.18 or later`,
			});
		},
	);
});

test("refuses missing modules and tools of one name before anything is started", async () => {
	const missing = { code: "ERR_FILE", message: expect.stringContaining("/nope/x.js") };
	await expect(resolveOptions({ tools: [{ module: "/nope/x.js" }] })).rejects.toMatchObject(missing);
	const script = { provider: "scripted", module: "/nope/x.js" } as const;
	await expect(resolveOptions({ model: script })).rejects.toMatchObject(missing);
	const tool = defineTool({ name: "twin", description: "d", inputSchema: { type: "object" }, execute: () => "" });
	await expect(resolveOptions({ tools: [tool, tool] })).rejects.toMatchObject({
		code: "ERR_BAD_OPTION",
		message: "Two of the tools are called 'twin'. Give one of them another name",
	});
});
