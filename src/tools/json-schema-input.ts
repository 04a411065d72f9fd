// A plain JSON Schema as a tool's input schema, for tools that bring no zod. Checked lightly: the object itself, its
// required properties, and the type and enum of top-level ones; what is deeper is the tool's own business.

import type { InputSchema } from "./definition.ts";

/** JSON Schema of an object (https://json-schema.org), e.g. `{ type: "object", properties: {…}, required: […] }`. */
export interface ObjectJsonSchema {
	readonly type: "object";
	readonly properties?: Readonly<Record<string, unknown>>;
	readonly required?: readonly string[];
	readonly [keyword: string]: unknown;
}

export interface JsonSchemaInput extends InputSchema<Record<string, unknown>> {
	readonly jsonSchema: ObjectJsonSchema;
}

interface Issue {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

export function isObjectJsonSchema(value: unknown): value is ObjectJsonSchema {
	return typeof value === "object" && value !== null && "type" in value && value.type === "object";
}

export function jsonSchemaInput(schema: ObjectJsonSchema): JsonSchemaInput {
	return {
		jsonSchema: schema,
		safeParse(value) {
			if (typeof value !== "object" || value === null || Array.isArray(value)) {
				return { success: false, error: { issues: [{ path: [], message: "the input must be an object" }] } };
			}
			const data = value as Record<string, unknown>;
			const issues = [...missing(schema, data), ...mistyped(schema, data)];
			return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data };
		},
	};
}

function missing({ required = [] }: ObjectJsonSchema, data: Record<string, unknown>): Issue[] {
	return required
		.filter((name) => data[name] === undefined)
		.map((name) => ({ path: [name], message: `${name} is required` }));
}

function mistyped({ properties = {} }: ObjectJsonSchema, data: Record<string, unknown>): Issue[] {
	const issues: Issue[] = [];
	for (const [name, property] of Object.entries(properties)) {
		const value = data[name];
		if (value === undefined || typeof property !== "object" || property === null) continue;
		const problem = problemOf(value, property as { readonly type?: unknown; readonly enum?: unknown });
		if (problem) issues.push({ path: [name], message: `${name} ${problem}` });
	}
	return issues;
}

function problemOf(value: unknown, property: { readonly type?: unknown; readonly enum?: unknown }): string | undefined {
	const types = [property.type].flat().filter((type): type is string => typeof type === "string");
	if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `must be of type ${types.join(" or ")}`;
	if (Array.isArray(property.enum) && !property.enum.includes(value)) {
		return `must be one of: ${property.enum.map(String).join(", ")}`;
	}
	return undefined;
}

function isOfType(value: unknown, type: string): boolean {
	switch (type) {
		case "array":
			return Array.isArray(value);
		case "object":
			return typeof value === "object" && value !== null && !Array.isArray(value);
		case "null":
			return value === null;
		case "integer":
			return Number.isInteger(value);
		case "string":
		case "number":
		case "boolean":
			return typeof value === type;
		default:
			// A word this check does not know refuses nothing.
			return true;
	}
}
