// Puts one fake reply on the wire: as JSON, as a stream, or as one of the ways a stream goes wrong.

import type { ServerResponse } from "node:http";
import { type Clock, waitFor } from "../lib/clock.ts";
import { contentOf, type FakeReply, wireUsageOf } from "./fake-reply.ts";
import type { MessagesRequestBody } from "./messages-request.ts";
import { eventsOf, type WireEvent, type WireMessage } from "./sse-events.ts";

const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
	400: "invalid_request_error",
	401: "authentication_error",
	402: "billing_error",
	403: "permission_error",
	404: "not_found_error",
	413: "request_too_large",
	429: "rate_limit_error",
	504: "timeout_error",
	529: "overloaded_error",
};

export interface SendContext {
	readonly clock: Clock;
	readonly body: MessagesRequestBody;
	readonly bodyText: string;
	/** Number of this request; makes ids. */
	readonly serial: number;
}

/** Answers with an error in the API's shape. */
export function sendError(response: ServerResponse, status: number, fault: NonNullable<FakeReply["error"]>): void {
	const type = TYPE_OF_STATUS[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
	const message = fault.message ?? type.replaceAll("_", " ");
	const retryAfter = fault.retryAfterMs === undefined ? {} : { "retry-after": String(fault.retryAfterMs / 1000) };
	response.writeHead(status, { "content-type": "application/json", ...retryAfter, ...fault.headers });
	response.end(fault.body ?? JSON.stringify({ type: "error", error: { type, message }, request_id: "req_fake" }));
}

/** Sends the reply; resolves when nothing more will be sent. */
export async function sendReply(response: ServerResponse, reply: FakeReply, context: SendContext): Promise<void> {
	const gone = new AbortController();
	response.once("close", () => gone.abort());
	if (reply.delayMs) await waitFor(context.clock, reply.delayMs, gone.signal).catch(() => {});
	if (gone.signal.aborted) return;
	if (reply.hangUp) return void response.destroy();
	if (reply.error) return sendError(response, reply.error.status, reply.error);
	const message = toMessage(reply, context);
	if (context.body.stream)
		return stream(response, reply, eventsOf(message, reply.deltas ?? 1), context.clock, gone.signal);
	if (reply.fault === "stall" || reply.stallAfterEvents !== undefined) return;
	if (reply.fault === "cut" || reply.cutAfterEvents !== undefined) return void response.destroy();
	response.writeHead(200, { "content-type": "application/json" });
	response.end(JSON.stringify({ ...message, type: "message", role: "assistant", stop_sequence: null }));
}

function toMessage(reply: FakeReply, { body, bodyText, serial }: SendContext): WireMessage {
	const content = contentOf(reply, serial);
	const usesTools = content.some((block) => block.type === "tool_use");
	return {
		id: `msg_fake_${serial}`,
		model: body.model,
		content,
		stop_reason: reply.stopReason ?? (usesTools ? "tool_use" : "end_turn"),
		usage: wireUsageOf(reply.usage, bodyText, JSON.stringify(content)),
	};
}

async function stream(
	response: ServerResponse,
	reply: FakeReply,
	events: readonly WireEvent[],
	clock: Clock,
	gone: AbortSignal,
): Promise<void> {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	response.flushHeaders();
	for (const [sent, event] of events.entries()) {
		if (reply.eventDelayMs) await waitFor(clock, reply.eventDelayMs, gone).catch(() => {});
		if (gone.aborted || goWrong(response, reply, sent, event)) return;
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	}
	response.end();
}

// A fault named only by `fault` comes once all content is out, before the stream says how it ended.
function goWrong(response: ServerResponse, reply: FakeReply, sent: number, next: WireEvent): boolean {
	const isAtEnd = next.type === "message_delta";
	if (sent === reply.malformedAfterEvents) response.write("event: content_block_delta\ndata: {not json\n\n");
	if (sent === (reply.errorEvent?.afterEvents ?? 1) && reply.errorEvent) {
		const { type, message = type } = reply.errorEvent;
		response.end(`event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message } })}\n\n`);
		return true;
	}
	if (sent === reply.stallAfterEvents || (isAtEnd && reply.fault === "stall")) return true;
	if (sent !== reply.cutAfterEvents && !(isAtEnd && reply.fault === "cut")) return false;
	// What was written goes out first; then the connection ends in the middle of the body.
	response.socket?.end();
	return true;
}
