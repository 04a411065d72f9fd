// The words in which schemas of what a program passes are written, and the check itself: whatever is wrong is told with
// the name of the field and what it must be. Checks only: the value goes on as it was given.

import * as z from "zod";
import { ClowderError, type ErrorCode, messageOf } from "../errors.ts";
import { isRecord } from "./is-record.ts";
import { nearestName } from "./nearest-name.ts";
import { shown } from "./shown.ts";

/** Anything that `holds`, else "must be …". */
export function must<T>(wanted: string, holds: (value: unknown) => boolean): z.ZodType<T> {
	return z.custom<T>(holds, { error: () => `must be ${wanted}` });
}

export const anyText = must<string>("a text", (value) => typeof value === "string");
export const text = must<string>("a text that is not empty", (value) => typeof value === "string" && /\S/.test(value));
/** The name of something that is kept. */
export const idText = must<string>(
	"an id of 1 to 200 characters",
	(value) => typeof value === "string" && value !== "" && value.length <= 200,
);
export const flag = must<boolean>("true or false", (value) => typeof value === "boolean");
export const callback = must<never>("a function", (value) => typeof value === "function");
export const record = must<object>("an object", isRecord);
export const amount = must<number>(
	"a number above 0",
	(value) => typeof value === "number" && Number.isFinite(value) && value > 0,
);
export const amountOrNone = must<number>(
	"a number, 0 or more",
	(value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
);
export const count = (least: number, most: number) =>
	must<number>(
		`a whole number from ${least} to ${most}`,
		(value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
	);

export function oneOf<const T extends string>(...names: readonly T[]): z.ZodType<T> {
	const wanted = names.length === 1 ? `"${names[0]}"` : `one of ${names.map((name) => `"${name}"`).join(", ")}`;
	return must<T>(wanted, (value) => (names as readonly unknown[]).includes(value));
}

export function listOf(item: z.ZodType) {
	return z.array(item, { error: () => "must be a list" });
}

/** An object of these fields and no others; a field may be absent when it is `optional`. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
	const known = Object.keys(shape);
	return z.strictObject(shape, {
		error: (issue) =>
			issue.code === "unrecognized_keys" ? isUnknown(String(issue.keys[0]), known) : "must be an object",
	});
}

/** One of two schemas, by a look at the value; what is wrong is told by the one it belongs to. */
export function either(isFirst: (value: unknown) => boolean, first: z.ZodType, second: z.ZodType): z.ZodType {
	return z.any().superRefine((value, context) => {
		const faults = faultsOf(isFirst(value) ? first : second, value);
		for (const { message, path } of faults) context.addIssue({ code: "custom", message, path });
	});
}

export interface Subject {
	/** Where it was passed, for the message: `spawn`. */
	readonly where: string;
	/** @default "ERR_BAD_INPUT" */
	readonly code?: ErrorCode;
}

/** @throws ERR_BAD_INPUT, or the subject's code, that names the field and says what it must be */
export function checkInput(schema: z.ZodType, value: unknown, { where, code = "ERR_BAD_INPUT" }: Subject): void {
	const fault = faultsOf(schema, value)[0];
	if (!fault) return;
	const parts = fault.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part).slice(0, 80)}`));
	const name = parts.join("").replace(/^\./, "");
	const given = fault.message.startsWith("must be") ? `, not ${shown(valueAt(value, fault.path))}` : "";
	const message = `${where}: ${name === "" ? "what it is given" : `'${name}'`} ${fault.message}${given}`;
	throw new ClowderError(code, message, { details: { where, field: name } });
}

export interface Fault {
	readonly path: PropertyKey[];
	readonly message: string;
}

/** What is wrong with a value; a field that is unknown is named by its whole path. */
export function faultsOf(schema: z.ZodType, value: unknown): readonly Fault[] {
	try {
		return (schema.safeParse(value).error?.issues ?? []).map((issue) => ({
			path: issue.code === "unrecognized_keys" ? [...issue.path, String(issue.keys[0])] : [...issue.path],
			message: issue.message,
		}));
	} catch (thrown) {
		// A getter or a proxy of the program's.
		return [{ path: [], message: `cannot be read: ${messageOf(thrown)}` }];
	}
}

function isUnknown(name: string, known: readonly string[]): string {
	const nearest = nearestName(name, known);
	return `is unknown. ${nearest === undefined ? `Known: ${known.join(", ")}` : `Did you mean '${nearest}'?`}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
