// web_fetch: one page of the public internet as Markdown. Not read-only for the permission engine's sake: an address
// can carry data out, so a person or a rule decides about each host.

import { join } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../../errors.ts";
import { type Tool, type ToolContext, ToolError, type ToolOutput } from "../definition.ts";
import { clipText } from "../files/clip-text.ts";
import { formatSize } from "../files/file-errors.ts";
import { optionalText, requiredText } from "../input-fields.ts";
import type { ResolveHost } from "../web/address-guard.ts";
import type { HttpReply } from "../web/http-get.ts";

export const WEB_FETCH_NAME = "web_fetch";
/** Set to `1` in an agent's environment, it opens private addresses to web_fetch. */
export const ALLOW_PRIVATE_VARIABLE = "CLOWDER_WEB_FETCH_PRIVATE";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_CHARACTERS = 50_000;
/** Room for the lines above the page and the note below it. */
const NOTE_CHARACTERS = 5_000;
const MAX_REDIRECTS = 5;

export interface WebFetchOptions {
	/** Allows addresses that are not public. @default what the agent's environment says */
	readonly allowPrivate?: boolean;
	/** @default dns.lookup */
	readonly resolveHost?: ResolveHost;
}

const inputSchema = z.object({
	url: requiredText("url", "Address of the page, http or https"),
	prompt: optionalText("prompt", "What you want to know from the page; repeated above it"),
});
type WebFetchInput = z.infer<typeof inputSchema>;

/** Builds the tool; the embedding program may open private addresses. */
export function createWebFetchTool(options: WebFetchOptions = {}): Tool<WebFetchInput> {
	return {
		name: WEB_FETCH_NAME,
		description:
			"Fetches a web page and returns it as Markdown (JSON and plain text as they are). Public addresses only; a " +
			"redirect to another host is reported, not followed.",
		inputSchema,
		readOnly: false,
		maxResultChars: MAX_CHARACTERS + NOTE_CHARACTERS,
		summarize: ({ url }) => url,
		execute: (input, context) => fetchPage(input, context, options),
	};
}

export const webFetchTool = createWebFetchTool();

async function fetchPage(input: WebFetchInput, context: ToolContext, options: WebFetchOptions): Promise<ToolOutput> {
	const url = parseUrl(input.url);
	const timeout = new AbortController();
	const timer = context.clock.after(TIMEOUT_MS, () => {
		timeout.abort(new ToolError(`Error: Timeout (30s) while fetching ${url.href}`));
	});
	try {
		const signal = AbortSignal.any([context.signal, timeout.signal]);
		return await follow(url, input.prompt, context, { ...options, signal });
	} catch (thrown) {
		if (context.signal.aborted) return { content: "Error: Interrupted", isError: true };
		throw thrown instanceof ToolError ? thrown : new ToolError(`Error: cannot fetch ${url.href}: ${messageOf(thrown)}`);
	} finally {
		timer.cancel();
	}
}

function parseUrl(text: string): URL {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw new ToolError(`Error: url is not a valid address: ${text}`);
	}
	if (url.protocol !== "http:" && url.protocol !== "https:") {
		throw new ToolError(`Error: url must start with http:// or https://: ${text}`);
	}
	if (url.username !== "" || url.password !== "")
		throw new ToolError("Error: url must not hold a user name or password");
	return url;
}

async function follow(
	start: URL,
	prompt: string | undefined,
	context: ToolContext,
	options: WebFetchOptions & { readonly signal: AbortSignal },
): Promise<ToolOutput> {
	let url = start;
	const [{ lookup }, { httpGet }] = await Promise.all([import("node:dns"), import("../web/http-get.ts")]);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const reply = await httpGet(url, {
			signal: options.signal,
			maxBytes: MAX_BYTES,
			allowPrivate: options.allowPrivate ?? context.env[ALLOW_PRIVATE_VARIABLE] === "1",
			resolveHost: options.resolveHost ?? lookup,
			onProgress: () => context.touch(),
		});
		if (reply.status < 300 || reply.status >= 400 || !reply.location) return present(url, reply, prompt, context);
		const next = parseUrl(new URL(reply.location, url).href);
		// Whoever allowed this call allowed one host.
		if (bareHost(next) !== bareHost(url)) {
			return `${url.href} redirects to another host: ${next.href}\nCall web_fetch with that address to follow it.`;
		}
		url = next;
	}
	throw new ToolError(`Error: more than ${MAX_REDIRECTS} redirects from ${start.href}`);
}

function bareHost(url: URL): string {
	return url.hostname.replace(/^www\./, "");
}

async function present(
	url: URL,
	reply: HttpReply,
	prompt: string | undefined,
	context: ToolContext,
): Promise<ToolOutput> {
	const failed = reply.status < 200 || reply.status >= 300;
	const { title, text, notes } = await toText(url, reply);
	const head = [
		failed ? `Error: ${url.href} answered ${reply.status}` : `Page: ${url.href}`,
		...(title ? [`Title: ${title}`] : []),
		...(prompt ? [`Question: ${prompt}`] : []),
		...notes,
	];
	const file = join(context.outputDir, `web_fetch-${context.toolUseId.replaceAll(/[^\w-]/g, "_")}.md`);
	const body = await clipText(text || "(the page has no text)", MAX_CHARACTERS, file);
	return { content: `${head.join("\n")}\n\n${body}`, isError: failed };
}

async function toText(url: URL, reply: HttpReply): Promise<{ title: string; text: string; notes: string[] }> {
	const type = reply.contentType.split(";", 1)[0]?.trim() ?? "";
	if (!isTextType(type, reply.body)) {
		const what = `${type || "binary data"} (${formatSize(reply.body.length)}${reply.truncated ? " or more" : ""})`;
		throw new ToolError(`Error: ${url.href} is ${what}, not text; download it with bash if you need it`);
	}
	const text = decode(reply);
	const notes = reply.truncated ? [`[only the first ${formatSize(MAX_BYTES)} were read]`] : [];
	if (!type.includes("html") && !/^\s*(?:<!doctype html|<html)/i.test(text.slice(0, 1000))) {
		return { title: "", text, notes };
	}
	const { htmlToMarkdown } = await import("../web/html-to-markdown.ts");
	const page = await htmlToMarkdown(text);
	if (page.cut) notes.push("[only the start of this long page was converted]");
	return { title: page.title, text: page.markdown, notes };
}

function isTextType(type: string, body: Buffer): boolean {
	if (/^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|xhtml|x-sh|toml|csv|graphql)\b|x-ndjson/.test(type))
		return true;
	if (type !== "" && type !== "application/octet-stream") return false;
	return !body.subarray(0, 8192).includes(0);
}

function decode({ contentType, body }: HttpReply): string {
	const fromMeta = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(body.toString("latin1", 0, 2048))?.[1];
	const charset = /charset=["']?([\w-]{1,40})/.exec(contentType)?.[1] ?? fromMeta ?? "utf-8";
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return new TextDecoder().decode(body);
	}
}
