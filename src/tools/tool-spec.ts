// What the model is told about one tool. Turning a zod schema into JSON Schema needs a part of zod that agents do
// without, so it is loaded at the first use.

import { ClowderError, messageOf } from "../errors.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import type { Tool } from "./definition.ts";

/**
 * The spec of a tool with a zod 4 or zod/mini schema, or one made from a JSON Schema by `defineTool`.
 *
 * @param side which side of a schema that converts its input is shown. @default "input"
 * @throws ClowderError ERR_BAD_INPUT when its schema cannot be written as JSON Schema.
 */
export async function toolSpecOf(tool: Tool, side: "input" | "output" = "input"): Promise<ToolSpec> {
	return { name: tool.name, description: tool.description, input_schema: await jsonSchemaOf(tool, side) };
}

async function jsonSchemaOf(
	{ name, inputSchema }: Tool,
	side: "input" | "output",
): Promise<Readonly<Record<string, unknown>>> {
	if ("jsonSchema" in inputSchema) return inputSchema.jsonSchema as Readonly<Record<string, unknown>>;
	if (!("_zod" in inputSchema)) {
		throw new ClowderError("ERR_BAD_INPUT", `Tool '${name}' has an inputSchema without a JSON Schema`, {
			remedy: "Use zod 4, zod/mini, or a plain JSON Schema object",
		});
	}
	try {
		return await fromZod(inputSchema, side);
	} catch (thrown) {
		throw new ClowderError("ERR_BAD_INPUT", `Tool '${name}' has an inputSchema that JSON Schema cannot say`, {
			remedy: `Use an object schema of plain types (${messageOf(thrown)})`,
			cause: thrown,
		});
	}
}

async function fromZod(schema: object, side: "input" | "output"): Promise<Readonly<Record<string, unknown>>> {
	const { toJSONSchema } = await import("./zod-json-schema.ts");
	const written: Record<string, unknown> = toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], {
		io: side,
		unrepresentable: "any",
	});
	if (written.type !== "object") throw new Error("it is not the schema of an object");
	delete written.$schema;
	// Upstream: for the output side zod forbids unknown keys, which the check itself drops.
	if (written.additionalProperties === false && side === "output") delete written.additionalProperties;
	return written;
}
