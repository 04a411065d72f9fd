import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/definition.ts";
import { toolSpecOf } from "../../src/tools/tool-spec.ts";
import { call, createTestContext } from "./support.ts";

const base = { name: "add", description: "Adds", execute: () => "done" };

describe("defineTool", () => {
	it("makes a tool that is not read-only unless it says so", () => {
		expect(defineTool({ ...base, inputSchema: z.object({}) }).readOnly).toBe(false);
		expect(defineTool({ ...base, inputSchema: z.object({}), readOnly: true }).readOnly).toBe(true);
	});

	it("gives execute the checked input of a zod schema", async () => {
		const tool = defineTool({
			...base,
			inputSchema: z.object({ a: z.coerce.number(), b: z.number().default(2) }),
			execute: ({ a, b }) => `${a + b}`,
		});
		expect(await call(tool, { a: "1" }, await createTestContext())).toEqual({ content: "3", isError: false });
		expect((await call(tool, {}, await createTestContext())).content).toBe("Error: a must be a number");
	});

	it("takes zod/mini", async () => {
		const tool = defineTool({ ...base, inputSchema: mini.object({ a: mini.string() }), execute: ({ a }) => a });
		expect((await call(tool, { a: "x" }, await createTestContext())).content).toBe("x");
		expect((await call(tool, {}, await createTestContext())).content).toBe("Error: a is required");
	});

	describe("with a plain JSON Schema", () => {
		const tool = defineTool<{ a: string; list?: string[] }>({
			...base,
			inputSchema: {
				type: "object",
				properties: {
					a: { type: "string", enum: ["x", "y"] },
					list: { type: "array", items: { type: "string" } },
					count: { type: ["integer", "null"] },
				},
				required: ["a"],
			},
			execute: ({ a, list = [] }) => `${a}${list.length}`,
		});

		it.each([
			[{ a: "x", list: [], unknown: 1 }, "x0"],
			[{ a: "y", count: null }, "y0"],
			[{}, "Error: a is required"],
			[{ a: 1 }, "Error: a must be of type string"],
			[{ a: "z" }, "Error: a must be one of: x, y"],
			[{ a: "x", list: {} }, "Error: list must be of type array"],
			[{ a: "x", count: 1.5 }, "Error: count must be of type integer or null"],
			[[], "Error: the input must be an object"],
			[null, "Error: the input must be an object"],
		])("checks %j", async (input, content) => {
			expect((await call(tool, input, await createTestContext())).content).toBe(content);
		});
	});

	it.each([
		[{ name: "no spaces" }, "Tool 'no spaces' has a name that is not valid. Use 1 to 64 letters, digits, _ or -"],
		[{ description: " " }, "Tool 'add' has no description. Say what it does and when to use it: the model reads this"],
		[{ execute: undefined }, "Tool 'add' has no execute function. Add execute(input, context)"],
		[{ readonly: true }, "Tool 'add' has an unknown field 'readonly'. Did you mean 'readOnly'?"],
		[
			{ timeout: 5 },
			"Tool 'add' has an unknown field 'timeout'. Known: name, description, inputSchema, readOnly, summarize, execute",
		],
		[{ readOnly: "no" }, "Tool 'add' has a readOnly that is not true or false. Give one of them"],
		[{ summarize: "x" }, "Tool 'add' has a summarize that is no function. Give summarize(input), or leave it out"],
		[
			{ inputSchema: { type: "string" } },
			"Tool 'add' has an inputSchema that is not usable. Give a zod schema or a JSON Schema of type object",
		],
	])("refuses %j", (change, message) => {
		const definition = { ...base, inputSchema: z.object({}), ...change } as Parameters<typeof defineTool>[0];
		expect(() => defineTool(definition)).toThrow(expect.objectContaining({ code: "ERR_BAD_INPUT", message }));
	});
});

describe("toolSpecOf", () => {
	const spec = async (inputSchema: Parameters<typeof defineTool>[0]["inputSchema"]) =>
		(await toolSpecOf(defineTool({ ...base, inputSchema }))).input_schema;

	it("writes the input side of a zod schema", async () => {
		expect(await spec(z.object({ a: z.string().transform(Number), b: z.number().default(2) }) as never)).toEqual({
			type: "object",
			properties: { a: { type: "string" }, b: { type: "number", default: 2 } },
			required: ["a"],
		});
		expect(await spec(mini.object({ a: mini.string() }) as never)).toEqual({
			type: "object",
			properties: { a: { type: "string" } },
			required: ["a"],
		});
	});

	it("keeps a JSON Schema as it is", async () => {
		const schema = { type: "object", properties: { a: { type: "string", minLength: 3 } } } as const;
		expect(await spec(schema)).toEqual(schema);
	});

	it("says what cannot be described", async () => {
		const foreign: Tool = { ...base, readOnly: true, inputSchema: { safeParse: () => ({ success: true, data: 1 }) } };
		await expect(toolSpecOf(foreign)).rejects.toThrow(
			"Tool 'add' has an inputSchema without a JSON Schema. Use zod 4, zod/mini, or a plain JSON Schema object",
		);
		await expect(spec(z.string() as never)).rejects.toThrow(
			"Tool 'add' has an inputSchema that JSON Schema cannot say. Use an object schema of plain types",
		);
	});
});
