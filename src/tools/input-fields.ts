// The fields built-in tools take, in zod/mini, each with messages that name it. Models send `null` for a field
// they leave out and digits in quotes for a number: both are read as meant.

import * as z from "zod/mini";

const missing = (name: string, kind: string) => (issue: { readonly input?: unknown }) =>
	issue.input === undefined || issue.input === null ? `${name} is required` : `${name} must be ${kind}`;

/** A string that must be there; empty only where `empty` allows it. */
export function requiredText(name: string, description: string, options: { readonly empty?: boolean } = {}) {
	const text = z.string({ error: missing(name, "a string") });
	const checked = options.empty ? text : text.check(z.minLength(1, { error: `${name} is required` }));
	return checked.check(z.describe(description));
}

export function optionalText(name: string, description: string) {
	return lax(dropNull, z.string({ error: `${name} must be a string` }).check(z.describe(description)));
}

/** A whole number between two bounds. */
export function optionalCount(
	name: string,
	description: string,
	bounds: { readonly minimum: number; readonly maximum: number },
) {
	const error = `${name} must be a whole number from ${bounds.minimum} to ${bounds.maximum}`;
	return lax(
		readNumber,
		z
			.number({ error })
			.check(
				z.int({ error }),
				z.minimum(bounds.minimum, { error }),
				z.maximum(bounds.maximum, { error }),
				z.describe(description),
			),
	);
}

export function optionalFlag(name: string, description: string) {
	return lax(readFlag, z.boolean({ error: `${name} must be true or false` }).check(z.describe(description)));
}

export function optionalChoice<const Choice extends string>(
	name: string,
	description: string,
	choices: readonly [Choice, ...Choice[]],
) {
	const error = `${name} must be one of: ${choices.join(", ")}`;
	return lax(dropNull, z.enum(choices, { error }).check(z.describe(description)));
}

export function optionalTexts(name: string, description: string) {
	const error = `${name} must be an array of strings`;
	return lax(dropNull, z.array(z.string({ error }), { error }).check(z.describe(description)));
}

function lax<Schema extends z.ZodMiniType>(read: (value: unknown) => unknown, schema: Schema) {
	return z.optional(z.pipe(z.transform(read), z.optional(schema)));
}

function dropNull(value: unknown): unknown {
	return value === null ? undefined : value;
}

function readNumber(value: unknown): unknown {
	return typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : dropNull(value);
}

function readFlag(value: unknown): unknown {
	if (value === "true") return true;
	return value === "false" ? false : dropNull(value);
}
