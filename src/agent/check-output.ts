// Holds a final text against the output schema the caller asked for. The validator is loaded at first use.

import type { OutputUnit, Schema } from "@cfworker/json-schema";
import { messageOf } from "../errors.ts";
import { systemNote } from "./added-text.ts";

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;
const MAX_ERRORS = 10;

export type OutputCheck =
	/** `json`: the bare JSON text, without a fence around it. */
	| { readonly kind: "valid"; readonly json: string }
	| { readonly kind: "invalid"; readonly errors: string }
	/** The schema itself cannot be used; asking the model again cannot help. */
	| { readonly kind: "bad-schema"; readonly error: string };

/** What the model must know before it answers. */
export function outputNote(schemaJson: string): string {
	return systemNote(
		`Your last message must be JSON, and nothing else, that satisfies this JSON Schema:\n${schemaJson}`,
	);
}

/** What the model is told when its answer does not satisfy the schema. */
export function outputErrorNote(errors: string, schemaJson: string): string {
	return `${systemNote(`Your last message does not satisfy the output schema:\n${errors}`)}\n${outputNote(schemaJson)}`;
}

export async function checkOutput(text: string, schemaJson: string): Promise<OutputCheck> {
	const trimmed = text.trim();
	const json = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch (thrown) {
		return { kind: "invalid", errors: `The reply is not JSON: ${messageOf(thrown)}` };
	}
	try {
		const { Validator } = await import("@cfworker/json-schema");
		const { valid, errors } = new Validator(JSON.parse(schemaJson) as Schema, "2020-12", false).validate(value);
		return valid ? { kind: "valid", json } : { kind: "invalid", errors: describe(errors) };
	} catch (thrown) {
		return { kind: "bad-schema", error: `The output schema cannot be used: ${messageOf(thrown)}` };
	}
}

// The validator reports every level on the way down; those that only pass a fault on say nothing new.
const PASSING_ON = new Set(
	(
		"$ref $dynamicRef $recursiveRef allOf then else properties patternProperties additionalProperties " +
		"unevaluatedProperties dependentSchemas propertyNames items prefixItems additionalItems unevaluatedItems"
	).split(" "),
);

function describe(errors: readonly OutputUnit[]): string {
	const telling = errors.filter(({ keyword }) => !PASSING_ON.has(keyword));
	const lines = (telling.length > 0 ? telling : errors).map(({ instanceLocation, keyword, error }) =>
		keyword === "false" ? `${instanceLocation}: is not allowed` : `${instanceLocation}: ${error}`,
	);
	return [...new Set(lines)].slice(0, MAX_ERRORS).join("\n");
}
