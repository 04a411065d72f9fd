// Claude, or any server that speaks the Messages API. The only importer of the Anthropic SDK; runs in the gateway.
// One attempt is one streamed request: the SDK's retries and its own event loop are not used, because it does
// not retry an error event inside a stream, swallows pings, and ends quietly after an abort.

import Anthropic, { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/core/streaming";
import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { ModelRequest } from "../wire/model-call.ts";
import type { AnthropicConfig } from "../wire/model-config.ts";
import { cancelledError } from "./cancelled.ts";
import { type Endpoint, type ModelEnv, resolveEndpoint } from "./endpoint.ts";
import type { AttemptHooks, AttemptReply, ModelProvider } from "./provider.ts";
import { type ProviderFailure, parseRetryAfter, providerError } from "./provider-errors.ts";
import { createReplyBuilder, type StreamEvent } from "./reply-builder.ts";
import { createBodyBuilder } from "./request-body.ts";
import { hasThinking, isThinkingRefused, withoutThinking } from "./thinking.ts";

const JSON_HEADERS = { "content-type": "application/json", accept: "text/event-stream" };
// Only a backstop for the headers; silence is the gateway's watchdog's business.
const REQUEST_TIMEOUT_MS = 3_600_000;
// Limits that no waiting of ours will lift.
const FINAL_LIMITS = /spend_limit|ramp_limit|billing/;
const MAX_REMEMBERED_RUNS = 1_000;

/**
 * Builds the provider for one server and account.
 *
 * @throws ClowderError ERR_MODEL_CONFIG, see `resolveEndpoint`.
 */
export function createAnthropicProvider(config: AnthropicConfig, clock: Clock, env: ModelEnv = {}): ModelProvider {
	const endpoint = resolveEndpoint(config, env);
	const client = createClient(endpoint);
	const buildBody = createBodyBuilder();
	// Runs whose thinking the server refused once: theirs is left out from then on.
	const runsWithoutThinking = new Set<string>();

	async function send(request: ModelRequest, hooks: AttemptHooks): Promise<AttemptReply> {
		const builder = createReplyBuilder({ onText: hooks.onText, onUsage: (usage) => hooks.onUsage?.(usage) });
		try {
			// Upstream: bytes are sent as they are (the SDK's buildBody). They lie outside the heap, where a call that waits
			// for its reply would else have every garbage collection carry its text along.
			const body = Buffer.from(buildBody(request));
			const options = { body, headers: JSON_HEADERS, signal: hooks.signal, stream: true };
			const response = await client.post("/v1/messages", options).asResponse();
			hooks.onActivity();
			checkIsStream(response, endpoint.host);
			for await (const { event, data } of Stream.rawEvents(response)) {
				hooks.onActivity();
				if (event === "error") throw streamError(data, endpoint.host, request.model);
				if (data) builder.accept(parseEvent(data, endpoint.host));
			}
		} catch (thrown) {
			throw toProviderError(thrown, { host: endpoint.host, model: request.model, hooks, clock });
		}
		if (hooks.signal.aborted) throw cancelledError();
		if (!builder.complete) throw broken(endpoint.host, "the reply ended before it was complete");
		return { ...builder.finish(), model: request.model };
	}

	return {
		// One provider serves one account, so host and model are enough.
		gateKey: (request) => `anthropic ${endpoint.host} ${request.model}`,
		async attempt(request, hooks) {
			const { runId } = request.caller;
			if (!hasThinking(request.messagesJson)) return send(request, hooks);
			if (!runsWithoutThinking.has(runId)) {
				try {
					return await send(request, hooks);
				} catch (thrown) {
					if (!isThinkingRefused(thrown)) throw thrown;
					if (runsWithoutThinking.size >= MAX_REMEMBERED_RUNS) runsWithoutThinking.clear();
					runsWithoutThinking.add(runId);
				}
			}
			return send({ ...request, messagesJson: withoutThinking(request.messagesJson) }, hooks);
		},
	};
}

function createClient({ baseUrl, isOfficial, apiKey, authToken }: Endpoint): Anthropic {
	return new Anthropic({
		baseURL: baseUrl,
		// Without any credential the SDK would look for some in the home folder and send them to this address.
		apiKey: authToken ? null : (apiKey ?? "none"),
		authToken: authToken ?? null,
		// Upstream: the SDK sends an API key as a bearer token; other servers read this header.
		defaultHeaders: apiKey && !isOfficial ? { "x-api-key": apiKey } : {},
		maxRetries: 0,
		timeout: REQUEST_TIMEOUT_MS,
		// A redirect would carry the key to an address that nobody chose.
		fetchOptions: { redirect: "manual" },
		// The SDK's log may hold request texts and goes to a console that this thread does not own.
		logLevel: "off",
		openTelemetry: false,
	});
}

function checkIsStream(response: Response, host: string): void {
	const type = response.headers.get("content-type");
	if (!type || type.includes("text/event-stream")) return;
	void response.body?.cancel();
	throw new ClowderError("ERR_MODEL_BAD_REQUEST", `${host} answered with ${type} instead of an event stream`, {
		remedy: "Check that ANTHROPIC_BASE_URL is the address of a Messages API that can stream",
	});
}

function parseEvent(data: string, host: string): StreamEvent {
	try {
		const event: unknown = JSON.parse(data);
		return typeof event === "object" && event !== null ? event : {};
	} catch (cause) {
		throw broken(host, "it sent an event that is not JSON", cause);
	}
}

function streamError(data: string, host: string, model: string): ClowderError {
	const { error } = parseEvent(data, host) as { error?: { type?: unknown; message?: unknown } };
	const type = typeof error?.type === "string" ? error.type : undefined;
	return providerError({ host, model, type, reason: String(error?.message ?? data) });
}

interface FailureContext extends Pick<ProviderFailure, "host" | "model"> {
	readonly hooks: AttemptHooks;
	readonly clock: Clock;
}

function toProviderError(thrown: unknown, { host, model, hooks, clock }: FailureContext): ClowderError {
	if (isClowderError(thrown)) return thrown;
	if (hooks.signal.aborted) return cancelledError();
	if (thrown instanceof APIConnectionError) {
		return providerError({ host, model, status: 0, reason: rootCause(thrown), cause: thrown });
	}
	if (!(thrown instanceof APIError) || typeof thrown.status !== "number") {
		return broken(host, `the connection broke off (${rootCause(thrown)})`, thrown);
	}
	const headers = thrown.headers;
	const isFinal = FINAL_LIMITS.test(thrown.errorCode ?? "") || headers?.get("x-should-retry") === "false";
	return providerError({
		host,
		model,
		status: thrown.status,
		type: thrown.type ?? undefined,
		reason: thrown.apiMessage ?? thrown.message.replace(/^\d{3} /, ""),
		retryAfterMs: parseRetryAfter((name) => headers?.get(name) ?? null, clock.now()),
		retryable: isFinal ? false : undefined,
		cause: thrown,
	});
}

// fetch hides the reason (ECONNREFUSED, ENOTFOUND, a certificate) at the end of a chain of causes.
function rootCause(thrown: unknown): string {
	let current = thrown;
	for (let depth = 0; depth < 5 && current instanceof Error && current.cause !== undefined; depth++) {
		current = current.cause;
	}
	if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
	const code = (current as { code?: unknown } | null)?.code;
	return typeof code === "string" ? code : messageOf(current);
}

function broken(host: string, what: string, cause?: unknown): ClowderError {
	return new ClowderError("ERR_MODEL_SERVER", `The stream from ${host} broke: ${what}`, {
		remedy: "Try again later",
		cause,
	});
}
