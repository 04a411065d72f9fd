// Errors as plain data. An Error subclass loses its name, code and details in a structured clone,
// so errors cross a thread only in this shape. Loads nothing: agent threads use it.

import { ClowderError, ERROR_CODES, type ErrorCode, isClowderError, messageOf } from "../errors.ts";

export interface ErrorData {
	readonly name: string;
	readonly message: string;
	/** A ClowderError's code, or a Node error's (`ENOENT`); absent for plain errors. */
	readonly code?: string | undefined;
	readonly details?: Readonly<Record<string, unknown>> | undefined;
	readonly stack?: string | undefined;
}

function plainDetails(details: unknown): Record<string, unknown> | undefined {
	if (details === undefined) return undefined;
	try {
		return JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}

/** Whatever was thrown, as data that survives a structured clone. */
export function toErrorData(thrown: unknown): ErrorData {
	if (isClowderError(thrown)) {
		return {
			name: "ClowderError",
			message: thrown.message,
			code: thrown.code,
			details: plainDetails(thrown.details),
			stack: thrown.stack,
		};
	}
	if (thrown instanceof Error) {
		const code = (thrown as { code?: unknown }).code;
		return {
			name: thrown.name,
			message: thrown.message,
			code: typeof code === "string" ? code : undefined,
			stack: thrown.stack,
		};
	}
	return { name: "Error", message: messageOf(thrown) };
}

/** The error that `toErrorData` described, with `isClowderError` true again where it was. */
export function fromErrorData(data: ErrorData): Error {
	if (data.code !== undefined && data.code in ERROR_CODES) {
		return new ClowderError(data.code as ErrorCode, data.message, data.details ? { details: data.details } : {});
	}
	const error = new Error(data.message);
	error.name = data.name;
	return data.code === undefined ? error : Object.assign(error, { code: data.code });
}
