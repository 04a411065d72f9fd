// From what a server of the Messages API answers to the codes of the error table, with a text that names
// the host and what to do. Pure: used for real answers, for error events inside a stream, and by scripts.

import { ClowderError, type ErrorCode, type ErrorDetails } from "../errors.ts";

export interface ProviderFailure {
	/** Host name of the server, or what stands for it. */
	readonly host: string;
	readonly model: string;
	/** HTTP status; 0 when there was no connection, absent for an error event inside a stream. */
	readonly status?: number | undefined;
	/** The API's error type, such as `overloaded_error`. */
	readonly type?: string | undefined;
	/** The server's own words. */
	readonly reason: string;
	readonly retryAfterMs?: number | undefined;
	/** False where the server says that trying again is useless. */
	readonly retryable?: boolean | undefined;
	readonly cause?: unknown;
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
	401: "ERR_MODEL_AUTH",
	403: "ERR_MODEL_AUTH",
	404: "ERR_MODEL_NOT_FOUND",
	408: "ERR_MODEL_SERVER",
	409: "ERR_MODEL_SERVER",
	413: "ERR_PROMPT_TOO_LONG",
	429: "ERR_MODEL_RATE_LIMITED",
	529: "ERR_MODEL_OVERLOADED",
};

const CODE_OF_TYPE: Readonly<Record<string, ErrorCode>> = {
	authentication_error: "ERR_MODEL_AUTH",
	permission_error: "ERR_MODEL_AUTH",
	not_found_error: "ERR_MODEL_NOT_FOUND",
	invalid_request_error: "ERR_MODEL_BAD_REQUEST",
	billing_error: "ERR_MODEL_BAD_REQUEST",
	request_too_large: "ERR_PROMPT_TOO_LONG",
	rate_limit_error: "ERR_MODEL_RATE_LIMITED",
	overloaded_error: "ERR_MODEL_OVERLOADED",
};

const TOO_LONG =
	/prompt is too long|context[ _-]?(?:window|length|limit)|exceeds? the (?:model'?s )?(?:maximum )?context|too many (?:input )?tokens|request_too_large/i;
const MAX_REASON = 400;

/** The error for one failed request. */
export function providerError(failure: ProviderFailure): ClowderError {
	const code = codeOf(failure);
	const [message, remedy] = wordsFor(code, { ...failure, reason: tidy(failure.reason) });
	return new ClowderError(code, message, { remedy, details: detailsOf(failure), cause: failure.cause });
}

function codeOf({ status, type, reason }: ProviderFailure): ErrorCode {
	const code = status === undefined ? CODE_OF_TYPE[type ?? ""] : codeOfStatus(status);
	if (code === "ERR_MODEL_BAD_REQUEST" && TOO_LONG.test(reason)) return "ERR_PROMPT_TOO_LONG";
	return code ?? "ERR_MODEL_SERVER";
}

function codeOfStatus(status: number): ErrorCode {
	if (status === 0) return "ERR_MODEL_UNREACHABLE";
	return CODE_OF_STATUS[status] ?? (status >= 500 ? "ERR_MODEL_SERVER" : "ERR_MODEL_BAD_REQUEST");
}

// The message, and what a person can do about it.
function wordsFor(
	code: ErrorCode,
	{ host, model, status, reason, retryAfterMs, retryable }: ProviderFailure,
): readonly [string, string] {
	const because = reason ? `: ${reason}` : "";
	switch (code) {
		case "ERR_MODEL_AUTH":
			return [
				`${host} refused the credentials${because}`,
				"Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN to one that this server accepts for this model",
			];
		case "ERR_MODEL_NOT_FOUND":
			return [
				`${host} does not know the model ${JSON.stringify(model)}${because}`,
				"Check the model's name, and ANTHROPIC_BASE_URL if it is set",
			];
		case "ERR_PROMPT_TOO_LONG":
			return [`The conversation does not fit the window of ${model}${because}`, "Compact it or start a new one"];
		case "ERR_MODEL_RATE_LIMITED":
			if (retryable === false)
				return [`${host} refuses more requests${because}`, "Raise the account's limit or wait until it resets"];
			return [
				`${host} is limiting the request rate${because}`,
				retryAfterMs === undefined
					? "Wait a little, or run fewer agents at once"
					: `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s`,
			];
		case "ERR_MODEL_OVERLOADED":
			return [`${host} is overloaded${because}`, "Try again later, or set a fallback model"];
		case "ERR_MODEL_UNREACHABLE":
			return [`${host} cannot be reached${because}`, "Check the network, and ANTHROPIC_BASE_URL if it is set"];
		case "ERR_MODEL_BAD_REQUEST":
			if (status !== undefined && status >= 300 && status < 400)
				return [
					`${host} answered with a redirect (${status})`,
					"Set ANTHROPIC_BASE_URL to the final address: credentials do not follow redirects",
				];
			return [`${host} refused the request${because}`, remedyOfRefusal(reason)];
		default:
			return [`${host} failed${status === undefined ? "" : ` with status ${status}`}${because}`, "Try again later"];
	}
}

function remedyOfRefusal(reason: string): string {
	if (/credit|billing|spend/i.test(reason)) return "Check the account's credit and limits";
	if (/max_tokens/.test(reason)) return "Lower the token limit of one reply to what the model allows";
	return "Check the model's name and the settings of this agent";
}

function detailsOf({ status, type, retryAfterMs, retryable }: ProviderFailure): ErrorDetails {
	return {
		...(status ? { status } : {}),
		...(type === undefined ? {} : { type }),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(retryable === undefined ? {} : { retryable }),
	};
}

// One line, no final stop (the remedy follows), and never a whole HTML page.
function tidy(reason: string): string {
	const line = reason
		.replace(/<[^>]*>/g, " ")
		.replace(/\s+/g, " ")
		.trim();
	const cut = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
	return cut.replace(/[.\s]+$/, "");
}

/** The delay a server asks for, in ms: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function parseRetryAfter(header: (name: string) => string | null, nowMs: number): number | undefined {
	const exact = Number.parseFloat(header("retry-after-ms") ?? "");
	if (exact >= 0) return exact;
	const value = header("retry-after");
	if (!value) return undefined;
	const seconds = Number(value);
	const delayMs = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000;
	return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
