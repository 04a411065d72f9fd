// The public way to make a tool.

import { ClowderError } from "../errors.ts";
import { nearestName } from "../lib/nearest-name.ts";
import { readGiven } from "../lib/read-given.ts";
import type { InputSchema, Tool, ToolContext, ToolOutput } from "./definition.ts";
import { isObjectJsonSchema, jsonSchemaInput, type ObjectJsonSchema } from "./json-schema-input.ts";
import { isToolName } from "./registry.ts";

/** What `defineTool` takes. */
export interface ToolDefinition<Input> {
	/** `^[a-zA-Z0-9_-]{1,64}$`; snake_case by convention. */
	readonly name: string;
	/** What the model reads to decide when to call the tool and how. */
	readonly description: string;
	/** A schema of zod 4 or `zod/mini`, or a plain JSON Schema object (then only its top level is checked). */
	readonly inputSchema: InputSchema<Input> | ObjectJsonSchema;
	/** Changes nothing anywhere: allowed without asking, and run at the same time as others. @default false */
	readonly readOnly?: boolean;
	/** A few words on what a call does, for progress lines and permission prompts. @default the input's first string */
	readonly summarize?: (input: Input) => string;
	/**
	 * Does the work.
	 *
	 * **Contract**: what it throws becomes an error result for the model. A tool object runs on your main thread. In a tool
	 * module it runs inside the agent's thread: synchronous I/O and long synchronous work end that run as unresponsive,
	 * and what it prints becomes `log` events of the run.
	 * **Cancellation**: must settle soon after `context.signal` aborts.
	 */
	readonly execute: (input: Input, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
}

/**
 * Makes a tool for `createSupervisor({ tools })` or for a tool module's default export.
 *
 * @throws ClowderError ERR_BAD_INPUT for a definition that cannot be used.
 * @example
 * defineTool({
 *   name: "look_up",
 *   description: "Looks up a customer by id",
 *   inputSchema: z.object({ id: z.string() }),
 *   readOnly: true,
 *   execute: async ({ id }) => JSON.stringify(await customers.get(id)),
 * });
 */
export function defineTool<Input = Record<string, unknown>>(definition: ToolDefinition<Input>): Tool<Input> {
	return readGiven("defineTool", () => toTool(definition));
}

function toTool<Input>(definition: ToolDefinition<Input>): Tool<Input> {
	if (typeof definition !== "object" || definition === null) {
		const shown = definition === undefined ? "absent" : definition === null ? "null" : `a ${typeof definition}`;
		throw new ClowderError("ERR_BAD_INPUT", `defineTool: what it is given must be an object, not ${shown}`);
	}
	const { name, description, inputSchema, readOnly = false, summarize, execute } = definition;
	if (!isToolName(name))
		throw badTool(String(name), "has a name that is not valid", "Use 1 to 64 letters, digits, _ or -");
	if (typeof description !== "string" || description.trim() === "") {
		throw badTool(name, "has no description", "Say what it does and when to use it: the model reads this");
	}
	if (typeof execute !== "function") throw badTool(name, "has no execute function", "Add execute(input, context)");
	if (typeof readOnly !== "boolean")
		throw badTool(name, "has a readOnly that is not true or false", "Give one of them");
	if (summarize !== undefined && typeof summarize !== "function") {
		throw badTool(name, "has a summarize that is no function", "Give summarize(input), or leave it out");
	}
	refuseUnknown(name, definition);
	return {
		name,
		description,
		inputSchema: toInputSchema<Input>(name, inputSchema),
		readOnly,
		...(summarize ? { summarize } : {}),
		execute,
	};
}

const FIELDS = ["name", "description", "inputSchema", "readOnly", "summarize", "execute"];

/** What a tool says in a field that nobody reads would not count. */
function refuseUnknown(name: string, definition: object): void {
	const unknown = Object.keys(definition).find((field) => !FIELDS.includes(field));
	if (unknown === undefined) return;
	const nearest = nearestName(unknown, FIELDS);
	const remedy = nearest === undefined ? `Known: ${FIELDS.join(", ")}` : `Did you mean '${nearest}'?`;
	throw badTool(name, `has an unknown field '${unknown}'`, remedy);
}

function toInputSchema<Input>(name: string, schema: InputSchema<Input> | ObjectJsonSchema): InputSchema<Input> {
	if (hasSafeParse<Input>(schema)) return schema;
	// A plain JSON Schema says nothing to the compiler: Input is what the caller named.
	if (isObjectJsonSchema(schema)) return jsonSchemaInput(schema) as unknown as InputSchema<Input>;
	throw badTool(name, "has an inputSchema that is not usable", "Give a zod schema or a JSON Schema of type object");
}

function hasSafeParse<Input>(schema: unknown): schema is InputSchema<Input> {
	return (
		typeof schema === "object" && schema !== null && "safeParse" in schema && typeof schema.safeParse === "function"
	);
}

function badTool(name: string, problem: string, remedy: string): ClowderError {
	return new ClowderError("ERR_BAD_INPUT", `Tool '${name}' ${problem}`, { remedy });
}
