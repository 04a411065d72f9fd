import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formatInputErrors } from "../../src/tools/input-errors.ts";

const issuesOf = (
	schema: { safeParse(value: unknown): { error?: { issues: unknown[] } | undefined } },
	input: unknown,
) => (schema.safeParse(input).error?.issues ?? []) as Parameters<typeof formatInputErrors>[0];

describe("formatInputErrors", () => {
	const schema = z.object({
		path: z.string(),
		limit: z.number().min(1).optional(),
		list: z.array(z.object({ a: z.string() })).optional(),
	});

	it.each([
		[{}, "Error: path is required"],
		[{ path: 1 }, "Error: path must be a string"],
		[{ path: "a", limit: "1" }, "Error: limit must be a number"],
		[{ path: "a", limit: 0 }, "Error: limit: too small: expected number to be >=1"],
		[{ path: "a", list: [{ a: "x" }, {}] }, "Error: list[1].a is required"],
		["text", "Error: the input must be an object"],
		[null, "Error: the input must be an object"],
	])("reads full zod's issues for %j", (input, text) => {
		expect(formatInputErrors(issuesOf(schema, input))).toBe(text);
	});

	it("uses a schema's own message as it is", () => {
		const own = z.object({ path: z.string({ error: "path must name a file" }) });
		expect(formatInputErrors(issuesOf(own, {}))).toBe("Error: path must name a file");
		expect(formatInputErrors([{ path: ["a"], message: "Too many cooks" }])).toBe("Error: Too many cooks");
	});

	it("names unknown keys of a strict schema", () => {
		const strict = z.strictObject({ a: z.string() });
		expect(formatInputErrors(issuesOf(strict, { a: "x", b: 1 }))).toBe('Error: unrecognized key: "b"');
	});

	it("has a text for no issue at all", () => {
		expect(formatInputErrors([])).toBe("Error: the input is not valid");
	});
});
