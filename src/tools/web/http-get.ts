// One GET, without following redirects, with bounds on size and time. `node:http` and not `fetch`, because the
// addresses that were checked must be the ones that are connected to.

import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../errors.ts";
import { ToolError } from "../definition.ts";
import { guardedLookup, isPublicAddress, notPublicError, type ResolveHost } from "./address-guard.ts";

export interface GetOptions {
	readonly signal: AbortSignal;
	/** Reads no more than this of the unpacked body. */
	readonly maxBytes: number;
	readonly allowPrivate: boolean;
	readonly resolveHost: ResolveHost;
	readonly onProgress: () => void;
}

export interface HttpReply {
	readonly status: number;
	/** Where a redirect leads to. */
	readonly location: string | undefined;
	/** Lower case, with its parameters; empty when the server names none. */
	readonly contentType: string;
	readonly body: Buffer;
	/** The body was longer than `maxBytes`. */
	readonly truncated: boolean;
}

const HEADERS = {
	"user-agent": "clowder (+https://www.npmjs.com/package/clowder)",
	accept: "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5",
	"accept-encoding": "gzip, deflate, br",
};

/** @throws ToolError when the host may not be asked or does not answer; the signal's reason when it aborts. */
export async function httpGet(url: URL, options: GetOptions): Promise<HttpReply> {
	const host = url.hostname.replace(/^\[|\]$/g, "");
	if (!options.allowPrivate && isIP(host) && !isPublicAddress(host)) throw notPublicError(host, host);
	try {
		const response = await send(url, options);
		const { body, truncated } = await readBody(response, options);
		return {
			status: response.statusCode ?? 0,
			location: response.headers.location,
			contentType: (response.headers["content-type"] ?? "").toLowerCase(),
			body,
			truncated,
		};
	} catch (thrown) {
		options.signal.throwIfAborted();
		if (thrown instanceof ToolError) throw thrown;
		throw new ToolError(`Error: cannot fetch ${url.href}: ${messageOf(thrown)}`);
	}
}

async function send(url: URL, options: GetOptions): Promise<IncomingMessage> {
	const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
	const requestOptions: RequestOptions = {
		headers: HEADERS,
		signal: options.signal,
		// A connection of its own: one that is kept could have been made for another rule.
		agent: false,
		...(options.allowPrivate ? {} : { lookup: guardedLookup(options.resolveHost) }),
	};
	return new Promise((resolve, reject) => {
		request(url, requestOptions, resolve).once("error", reject).end();
	});
}

async function readBody(
	response: IncomingMessage,
	{ maxBytes, signal, onProgress }: GetOptions,
): Promise<{ body: Buffer; truncated: boolean }> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	const enough = new AbortController();
	const sink = new Writable({
		write(chunk: Buffer, _encoding, done) {
			onProgress();
			pieces.push(chunk.subarray(0, maxBytes - bytes));
			bytes += chunk.length;
			if (bytes > maxBytes) enough.abort();
			done();
		},
	});
	try {
		const stages: Stage[] = [response, ...(await unpackers(response)), sink];
		await pipeline(stages, { signal: AbortSignal.any([signal, enough.signal]) });
	} catch (thrown) {
		if (!enough.signal.aborted) throw thrown;
	}
	return { body: Buffer.concat(pieces), truncated: bytes > maxBytes };
}

type Stage = NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream;

async function unpackers(response: IncomingMessage) {
	const encoding = response.headers["content-encoding"]?.trim().toLowerCase();
	if (!encoding || encoding === "identity") return [];
	const zlib = await import("node:zlib");
	switch (encoding) {
		case "gzip":
		case "x-gzip":
			return [zlib.createGunzip()];
		case "deflate":
			return [zlib.createInflate()];
		case "br":
			return [zlib.createBrotliDecompress()];
		default:
			throw new ToolError(`Error: the server answered in an encoding that cannot be read: ${encoding}`);
	}
}
