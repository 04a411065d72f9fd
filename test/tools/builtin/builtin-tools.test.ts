import { describe, expect, it } from "vitest";
import { BUILTIN_TOOLS, isBuiltinToolName } from "../../../src/tools/builtin/index.ts";
import { builtinToolSpecs } from "../../../src/tools/builtin/specs.ts";

describe("BUILTIN_TOOLS", () => {
	it("loads each tool under its own name", async () => {
		const tools = await Promise.all(Object.values(BUILTIN_TOOLS).map((load) => load()));
		expect(tools.map(({ name }) => name)).toEqual(Object.keys(BUILTIN_TOOLS));
		expect(tools.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual([
			"read_file",
			"glob",
			"grep",
			"ask_user",
		]);
	});

	it("knows its names and no inherited ones", () => {
		expect(isBuiltinToolName("bash")).toBe(true);
		expect(isBuiltinToolName("constructor")).toBe(false);
	});
});

describe("builtinToolSpecs", () => {
	it("describes inputs as JSON Schema that forbids no further keys", async () => {
		const specs = await builtinToolSpecs();
		expect(specs.map(({ name }) => name)).toEqual(Object.keys(BUILTIN_TOOLS));
		expect(specs.find(({ name }) => name === "edit_file")?.input_schema).toEqual({
			type: "object",
			properties: {
				path: {
					type: "string",
					minLength: 1,
					description: "File to change; relative paths start at the working folder",
				},
				old_text: { type: "string", description: "Text to replace, exactly as it stands in the file" },
				new_text: { type: "string", description: "Text to put in its place" },
				replace_all: { type: "boolean", description: "Replaces every occurrence instead of exactly one" },
			},
			required: ["path", "old_text", "new_text"],
		});
	});

	it("asks for exactly the inputs that were agreed", async () => {
		const inputs = (await builtinToolSpecs()).map(({ name, input_schema }) => {
			const { properties, required } = input_schema as { properties: object; required: string[] };
			return [name, ...Object.keys(properties).map((field) => (required.includes(field) ? `${field}!` : field))];
		});
		expect(inputs).toEqual([
			["read_file", "path!", "offset", "limit"],
			["write_file", "path!", "content!"],
			["edit_file", "path!", "old_text!", "new_text!", "replace_all"],
			["glob", "pattern!", "path"],
			["grep", "pattern!", "path", "glob", "output_mode", "context", "ignore_case", "limit", "timeout_ms"],
			["bash", "command!", "timeout_ms", "run_in_background", "description"],
			["web_fetch", "url!", "prompt"],
			["ask_user", "question!", "options"],
		]);
	});

	it("is the same text every time", async () => {
		expect(JSON.stringify(await builtinToolSpecs())).toBe(JSON.stringify(await builtinToolSpecs()));
	});
});
