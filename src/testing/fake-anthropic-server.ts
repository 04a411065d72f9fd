// A server on localhost that speaks the Messages API, with its validation and its failures, for tests that
// want the real client, real HTTP and real streams.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../errors.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { checkServerOptions } from "./check-input.ts";
import { createReplyPicker, type FakeReply, type FakeScript } from "./fake-reply.ts";
import type { MessagesRequestBody } from "./messages-request.ts";
import { findRequestFault } from "./request-rules.ts";
import { sendError, sendReply } from "./send-reply.ts";

/** A request as it arrived. */
export interface FakeRequest {
	readonly method: string;
	readonly path: string;
	/** Credentials are replaced by `[present]`. */
	readonly headers: Readonly<Record<string, string>>;
	/** Byte for byte. */
	readonly bodyText: string;
	readonly body: MessagesRequestBody;
	/** By the server's clock. */
	readonly arrivedAtMs: number;
}

/** Decides the reply to one request; `serial` is 1 for the first that passed validation. */
export type FakeHandler = (request: FakeRequest, serial: number) => FakeReply | Promise<FakeReply>;

export interface FakeAnthropicOptions {
	/** What to answer; a request past the end is answered with status 500 and says so. */
	readonly script?: FakeScript;
	/** Answers instead of `script`. */
	readonly handler?: FakeHandler;
	/** The only key or token that is accepted. @default any, also none */
	readonly apiKey?: string;
	/** The models that exist. @default all */
	readonly models?: readonly string[];
	/** Refuses conversations that the API refuses. @default true */
	readonly checkPairing?: boolean;
	/** Times delays and stamps requests. @default the system's */
	readonly clock?: Clock;
}

export interface FakeAnthropicServer {
	/** For `baseUrl` or ANTHROPIC_BASE_URL. */
	readonly url: string;
	/** Everything that arrived, refused requests included, oldest first. */
	readonly requests: readonly FakeRequest[];
	/** Stops at once and drops open connections. */
	close(): Promise<void>;
}

/**
 * Starts a server on a free port of 127.0.0.1.
 * @throws ERR_BAD_OPTION for options that it does not have or cannot use
 */
export async function startFakeAnthropicServer(options: FakeAnthropicOptions = {}): Promise<FakeAnthropicServer> {
	checkServerOptions(options);
	const clock = options.clock ?? systemClock;
	const requests: FakeRequest[] = [];
	const answer = createAnswer(options);
	let serial = 0;

	async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await readRequest(incoming, clock);
		requests.push(request);
		const refusal = refuse(request, incoming, options);
		if (refusal) return sendError(response, refusal.status, refusal);
		if (request.path.endsWith("/count_tokens")) {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ input_tokens: Math.ceil(request.bodyText.length / 4) }));
			return;
		}
		serial += 1;
		const context = { clock, body: request.body, bodyText: request.bodyText, serial };
		await sendReply(response, await answer(request, serial), context);
	}

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((thrown: unknown) => {
			if (response.headersSent) response.destroy();
			else sendError(response, 500, { status: 500, message: `The fake server failed: ${messageOf(thrown)}` });
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function createAnswer({ handler, script = [] }: FakeAnthropicOptions): FakeHandler {
	if (handler) return handler;
	const pick = createReplyPicker(script);
	return ({ body }) => {
		const message = "The fake server's script has no reply left for this request";
		return pick(body) ?? { error: { status: 500, message, headers: { "x-should-retry": "false" } } };
	};
}

async function readRequest(incoming: IncomingMessage, clock: Clock): Promise<FakeRequest> {
	const arrivedAtMs = clock.now();
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const bodyText = Buffer.concat(chunks).toString("utf8");
	return {
		method: incoming.method ?? "",
		path: (incoming.url ?? "").replace(/\?.*$/, ""),
		headers: maskCredentials(incoming),
		bodyText,
		body: parseOrNull(bodyText) as MessagesRequestBody,
		arrivedAtMs,
	};
}

function maskCredentials({ headers }: IncomingMessage): Record<string, string> {
	const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	const shown = Object.fromEntries(entries) as Record<string, string>;
	for (const name of ["x-api-key", "authorization"]) if (name in shown) shown[name] = "[present]";
	return shown;
}

function parseOrNull(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

type Refusal = NonNullable<FakeReply["error"]>;

function refuse(request: FakeRequest, incoming: IncomingMessage, options: FakeAnthropicOptions): Refusal | undefined {
	const { path, method, body } = request;
	if (method !== "POST" || !/\/v1\/messages(?:\/count_tokens)?$/.test(path)) {
		return { status: 404, message: `Not found: ${method} ${path}` };
	}
	if (options.apiKey !== undefined && !carries(incoming, options.apiKey)) {
		return { status: 401, message: "invalid x-api-key" };
	}
	const rules = { checkPairing: options.checkPairing ?? true };
	const counted = path.endsWith("/count_tokens") && body ? { ...body, max_tokens: body.max_tokens ?? 1 } : body;
	const fault = findRequestFault(counted, rules);
	if (fault) return { status: 400, message: fault };
	if (options.models && !options.models.includes(body.model)) return { status: 404, message: `model: ${body.model}` };
	return undefined;
}

function carries({ headers }: IncomingMessage, key: string): boolean {
	return headers["x-api-key"] === key || headers.authorization === `Bearer ${key}`;
}
