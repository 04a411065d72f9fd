// One model call from its start to its reply: rate gate → connection → budget → attempt, again by policy,
// then with the fallback model. Knows neither ports nor providers' insides.

import { ClowderError } from "../errors.ts";
import { type Clock, waitFor } from "../lib/clock.ts";
import { NO_USAGE, type Usage } from "../wire/conversation.ts";
import type { ModelReply, ModelRequest } from "../wire/model-call.ts";
import type { BudgetLedger, Estimator } from "./budget.ts";
import { cancelledError } from "./cancelled.ts";
import type { ConnectionSlots } from "./connection-slots.ts";
import type { PriceTable } from "./price-table.ts";
import { costOf, totalTokens } from "./prices.ts";
import type { ModelProvider } from "./provider.ts";
import type { RateGate } from "./rate-gate.ts";
import { decideRetry, gateDelayOf, MAX_RETRY_AFTER_MS } from "./retry-policy.ts";
import { type AttemptOutcome, makeWatchedAttempt } from "./watched-attempt.ts";

export interface CallDeps {
	readonly provider: Promise<ModelProvider>;
	readonly clock: Clock;
	readonly random: () => number;
	readonly gate: RateGate;
	readonly connections: ConnectionSlots;
	readonly estimator: Estimator;
	readonly prices: PriceTable;
	readonly ledger: BudgetLedger | undefined;
	readonly idleTimeoutMs: number;
	readonly maxAttempts: number;
	readonly fallbackModel: string | undefined;
	/** Usage and price of every attempt, failed ones included. */
	onSpent(usage: Usage, usd: number): void;
}

/** A try that is to come: its number in this call, when, and why. */
export interface ComingAttempt {
	readonly attempt: number;
	readonly delayMs: number;
	readonly error: ClowderError;
}

export interface CallSink {
	onText(text: string): void;
	/** The next try waits; text so far is void. */
	onWaiting(coming: ComingAttempt): void;
}

interface Call {
	readonly deps: CallDeps;
	readonly provider: ModelProvider;
	readonly sink: CallSink;
	readonly signal: AbortSignal;
	/** Changes its model once, when the call falls back. */
	request: ModelRequest;
	/** Number of the coming attempt in the whole call. */
	attempt: number;
	startedMs: number | undefined;
	/** US dollars of all attempts so far. */
	spentUsd: number;
}

/**
 * Makes a model call.
 *
 * **Cancellation**: ends at once with ERR_ABORTED and gives back what it holds.
 * @throws ClowderError as CallModel promises.
 */
export async function runCall(
	deps: CallDeps,
	request: ModelRequest,
	sink: CallSink,
	signal: AbortSignal,
): Promise<ModelReply> {
	const provider = await deps.provider;
	const call: Call = { deps, provider, sink, signal, request, attempt: 1, startedMs: undefined, spentUsd: 0 };
	let attemptsWithModel = 0;
	for (;;) {
		const outcome = await makeAttempt(call);
		if (outcome.kind === "replied") return finish(call, outcome);
		if (signal.aborted) throwCancelled();
		const askedMs = gateDelayOf(outcome.error);
		if (askedMs !== undefined) deps.gate.close(provider.gateKey(call.request), askedMs, outcome.error);
		attemptsWithModel += 1;
		call.attempt += 1;
		const canFallBack = deps.fallbackModel !== undefined && deps.fallbackModel !== call.request.model;
		const decision = decideRetry({
			error: outcome.error,
			attempts: attemptsWithModel,
			maxAttempts: deps.maxAttempts,
			canFallBack,
			random: deps.random,
		});
		if (decision.kind === "fail") throw outcome.error;
		if (decision.kind === "fall-back") {
			sink.onWaiting({ attempt: call.attempt, delayMs: 0, error: outcome.error });
			call.request = { ...call.request, model: deps.fallbackModel as string };
			attemptsWithModel = 0;
		} else await waitForRetry(call, decision, outcome.error);
	}
}

async function waitForRetry(
	{ deps, provider, sink, signal, request, attempt }: Call,
	decision: { readonly delayMs: number; readonly holdGate: boolean },
	error: ClowderError,
): Promise<void> {
	const key = provider.gateKey(request);
	if (decision.holdGate) deps.gate.close(key, decision.delayMs, error);
	const delayMs = Math.max(decision.delayMs, deps.gate.closedFor(key)?.delayMs ?? 0);
	sink.onWaiting({ attempt, delayMs, error });
	// Behind a closed gate the gate itself is the wait: it also spaces the calls it held back.
	if (!decision.holdGate) await waitFor(deps.clock, decision.delayMs, signal).catch(throwCancelled);
}

async function makeAttempt(call: Call): Promise<AttemptOutcome> {
	const { deps, provider, sink, signal, request } = call;
	const ready = await getReady(call);
	if (ready.kind === "failed") return ready;
	try {
		const reservation = reserve(call);
		call.startedMs ??= deps.clock.monotonicMs();
		const { clock, idleTimeoutMs } = deps;
		const watch = { clock, idleTimeoutMs, signal, onText: sink.onText };
		const outcome = await makeWatchedAttempt(provider, request, watch);
		const usage = outcome.kind === "replied" ? outcome.reply.usage : outcome.usage;
		const usd = costOf(request.model, usage, deps.prices);
		call.spentUsd += usd;
		reservation?.settle(totalTokens(usage), usd);
		deps.onSpent(usage, usd);
		return outcome;
	} finally {
		ready.release();
	}
}

type Ready = { readonly kind: "ready"; readonly release: () => void } | (AttemptOutcome & { kind: "failed" });

// Order: gate before connection, so that calls held back by one model do not keep others off the wire;
// then the gate again, because it may have closed while the call waited for a connection.
async function getReady({ deps, provider, sink, signal, request, attempt }: Call): Promise<Ready> {
	const key = provider.gateKey(request);
	for (let round = 1; ; round++) {
		const closed = deps.gate.closedFor(key);
		if (closed && closed.delayMs > MAX_RETRY_AFTER_MS) return notWorthWaiting(closed.reason, closed.delayMs);
		// A retry has been announced with its own error; a first attempt would wait without a sign.
		if (closed && attempt === 1 && round === 1) {
			sink.onWaiting({ attempt, delayMs: closed.delayMs, error: closed.reason });
		}
		await deps.gate.pass(key, signal);
		const release = await deps.connections.take(signal);
		if (!signal.aborted && !deps.gate.closedFor(key)) return { kind: "ready", release };
		release();
		if (signal.aborted) throwCancelled();
	}
}

function reserve({ deps, request }: Call) {
	if (!deps.ledger) return undefined;
	const { tokens, usd } = deps.estimator.estimate(request);
	const reservation = deps.ledger.reserve(request.caller, tokens, usd);
	if (reservation !== "refused") return reservation;
	const price = usd > 0 ? ` and about $${usd.toFixed(4)}` : "";
	throw new ClowderError("ERR_BUDGET", `The budget does not cover the next call (about ${tokens} tokens${price})`, {
		remedy: "Raise the token or cost limit",
		details: { estimateTokens: tokens, estimateUsd: usd },
	});
}

function finish(call: Call, { reply }: AttemptOutcome & { kind: "replied" }): ModelReply {
	const { deps, request, startedMs, spentUsd } = call;
	deps.estimator.learn(request, reply.usage);
	return {
		...reply,
		costUsd: spentUsd,
		durationMs: Math.round(deps.clock.monotonicMs() - (startedMs ?? deps.clock.monotonicMs())),
	};
}

function notWorthWaiting(reason: ClowderError, delayMs: number): AttemptOutcome & { kind: "failed" } {
	const details = { ...reason.details, retryAfterMs: delayMs };
	return { kind: "failed", error: new ClowderError(reason.code, reason.message, { details }), usage: NO_USAGE };
}

function throwCancelled(): never {
	throw cancelledError();
}
