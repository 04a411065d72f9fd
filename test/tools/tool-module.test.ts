import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { loadToolModule } from "../../src/tools/tool-module.ts";
import { temporaryFolder } from "./support.ts";

const TOOL = `{
	name: "shout", description: "Shouts", readOnly: true,
	inputSchema: { safeParse: (data) => ({ success: true, data }) },
	execute: ({ text }) => text.toUpperCase(),
}`;

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder();
});

async function module(source: string): Promise<string> {
	const path = join(folder, "tools.mjs");
	await writeFile(path, source);
	return path;
}

describe("loadToolModule", () => {
	it("takes one tool, or an array, by path or URL", async () => {
		const path = await module(`export default ${TOOL}`);
		expect((await loadToolModule(path)).map(({ name }) => name)).toEqual(["shout"]);
		const several = join(folder, "several.mjs");
		await writeFile(several, `export default [${TOOL}, { ...${TOOL}, name: "whisper" }]`);
		expect((await loadToolModule(pathToFileURL(several).href)).map(({ name }) => name)).toEqual(["shout", "whisper"]);
	});

	it.each([
		["throw new Error('boom')", "boom"],
		["export const tool = 1", "it has no default export"],
		["export default 5", "its default export is not a tool"],
		["export default []", "its default export is an empty array"],
		[`export default [${TOOL}, { name: "bad name" }]`, "tool 1 has no valid name"],
		['export default { name: "a" }', "its default export (a) has no description"],
		['export default { name: "a", description: "b" }', "its default export (a) has no execute function"],
		[
			'export default { name: "a", description: "b", execute() {} }',
			"its default export (a) does not say whether it is readOnly",
		],
		[
			'export default { name: "a", description: "b", execute() {}, readOnly: true }',
			"its default export (a) has no inputSchema",
		],
	])("names the module and the reason: %s", async (source, reason) => {
		const path = await module(source);
		await expect(loadToolModule(path)).rejects.toThrow(
			expect.objectContaining({
				code: "ERR_TOOL_MODULE",
				message:
					`Tool module ${path} cannot be used: ${reason}. ` +
					"Its default export must be a tool, or an array of tools, made with defineTool",
			}),
		);
	});

	it("names a module that is missing, and a path that is relative", async () => {
		await expect(loadToolModule(join(folder, "none.mjs"))).rejects.toThrow(
			expect.objectContaining({ code: "ERR_TOOL_MODULE" }),
		);
		await expect(loadToolModule("./tools.mjs")).rejects.toThrow(
			"Tool module ./tools.mjs cannot be used: it is neither an absolute path nor a file: URL",
		);
	});
});
