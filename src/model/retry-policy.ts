// Whether a failed attempt is made again, when, and with which model. Pure.

import type { ClowderError, ErrorCode } from "../errors.ts";

export interface RetrySituation {
	readonly error: ClowderError;
	/** Attempts made with this model so far, the failed one included. */
	readonly attempts: number;
	readonly maxAttempts: number;
	readonly canFallBack: boolean;
	/** From 0 up to, but not including, 1. */
	readonly random: () => number;
}

export type RetryDecision =
	/** `holdGate`: the whole account and model waits, not this call alone. */
	| { readonly kind: "retry"; readonly delayMs: number; readonly holdGate: boolean }
	| { readonly kind: "fall-back" }
	| { readonly kind: "fail" };

const CROWDED: readonly ErrorCode[] = ["ERR_MODEL_RATE_LIMITED", "ERR_MODEL_OVERLOADED"];
const RETRYABLE: readonly ErrorCode[] = [...CROWDED, "ERR_MODEL_SERVER", "ERR_MODEL_UNREACHABLE", "ERR_MODEL_STALLED"];
const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** A server that asks for more than this is not waited for. */
export const MAX_RETRY_AFTER_MS = 600_000;

export function decideRetry(situation: RetrySituation): RetryDecision {
	const { error, attempts, maxAttempts, canFallBack, random } = situation;
	if (!RETRYABLE.includes(error.code) || error.details?.retryable === false) return { kind: "fail" };
	const isCrowded = CROWDED.includes(error.code);
	const retryAfterMs = retryAfterOf(error);
	if (attempts < maxAttempts && (retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS) {
		return { kind: "retry", delayMs: retryAfterMs ?? backoffMs(attempts, random), holdGate: isCrowded };
	}
	return isCrowded && canFallBack ? { kind: "fall-back" } : { kind: "fail" };
}

/** The wait that a server asks of the whole account and model, in ms; counts also where this call gives up. */
export function gateDelayOf(error: ClowderError): number | undefined {
	return CROWDED.includes(error.code) ? retryAfterOf(error) : undefined;
}

// Exponential backoff with full jitter:
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
function backoffMs(attempts: number, random: () => number): number {
	return Math.floor(random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempts - 1)));
}

function retryAfterOf(error: ClowderError): number | undefined {
	const value = error.details?.retryAfterMs;
	return typeof value === "number" ? value : undefined;
}
