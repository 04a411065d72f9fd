// Keeps credentials out of every text that leaves the gateway: not the whole key and no part of it,
// whatever a server echoes back.

import type { ErrorData } from "../wire/error-data.ts";

export type Redact = (text: string) => string;

const MASK = "[redacted]";
// The longest piece of a secret that may stay: shorter runs also occur by chance.
const WINDOW = 8;
const MIN_SECRET_LENGTH = 4;
// Keys of anyone, also ones this process was not given.
const KEY_SHAPE = /\bsk-ant-[\w.…-]*|\bBearer\s+[\w.~+/=…-]+/gi;

/** Builds a function that masks the secrets, every part of them of 8 characters or more, and anything shaped like a key. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redact {
	const pieces = new Map<number, Set<string>>();
	for (const secret of secrets) {
		if (!secret || secret.length < MIN_SECRET_LENGTH) continue;
		const size = Math.min(WINDOW, secret.length);
		const known = pieces.get(size) ?? new Set<string>();
		for (let start = 0; start + size <= secret.length; start++) known.add(secret.slice(start, start + size));
		pieces.set(size, known);
	}
	return (text) => maskPieces(text, pieces).replace(KEY_SHAPE, MASK);
}

function maskPieces(text: string, pieces: ReadonlyMap<number, ReadonlySet<string>>): string {
	let result = "";
	let position = 0;
	while (position < text.length) {
		let end = maskEnd(text, position, pieces);
		if (end === position) {
			result += text[position];
			position += 1;
			continue;
		}
		// Overlapping and adjoining pieces are one secret and get one mask.
		for (let next = position + 1; next <= end; next++) end = Math.max(end, maskEnd(text, next, pieces));
		result += MASK;
		position = end;
	}
	return result;
}

function maskEnd(text: string, start: number, pieces: ReadonlyMap<number, ReadonlySet<string>>): number {
	let end = start;
	for (const [size, known] of pieces) {
		if (known.has(text.slice(start, start + size))) end = Math.max(end, start + size);
	}
	return end;
}

/** The same error with every text in it redacted, details and stack included. */
export function redactErrorData(data: ErrorData, redact: Redact): ErrorData {
	return {
		name: data.name,
		message: redact(data.message),
		code: data.code,
		details: data.details && (redactDeep(data.details, redact) as Record<string, unknown>),
		stack: data.stack && redact(data.stack),
	};
}

function redactDeep(value: unknown, redact: Redact): unknown {
	if (typeof value === "string") return redact(value);
	if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactDeep(item, redact)]));
}
