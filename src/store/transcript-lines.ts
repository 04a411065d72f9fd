// The lines of a transcript file. One JSON object per line, for programs and for grep:
//   {"type":"user"|"assistant","at":…,"message":{…},"acknowledged"?:[…]}   one message of the history
//   {"type":"replaced","at":…,"messages":[…],"acknowledged"?:[…]}          the history is these messages from here on
//   {"type":"acknowledged","at":…,"acknowledged":[…]}                      mail handled without a message
// `acknowledged` names the envelopes that this line made part of the history: they stand or fall with it.

import * as z from "zod";
import { ClowderError } from "../errors.ts";

const messageSchema = z.looseObject({ role: z.enum(["user", "assistant"]), content: z.unknown() });
const idsSchema = z.array(z.string()).optional();

const lineSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("user"), at: z.number(), message: messageSchema, acknowledged: idsSchema }),
	z.object({ type: z.literal("assistant"), at: z.number(), message: messageSchema, acknowledged: idsSchema }),
	z.object({
		type: z.literal("replaced"),
		at: z.number(),
		messages: z.array(messageSchema),
		acknowledged: idsSchema,
	}),
	z.object({ type: z.literal("acknowledged"), at: z.number(), acknowledged: z.array(z.string()) }),
]);
export type TranscriptLine = z.infer<typeof lineSchema>;

/** A commit as lines: what it acknowledges goes with its last message. */
export function formatCommit(messagesJson: readonly string[], acknowledged: readonly string[], at: number): string[] {
	if (messagesJson.length === 0) {
		return acknowledged.length === 0 ? [] : [JSON.stringify({ type: "acknowledged", at, acknowledged })];
	}
	return messagesJson.map((json, index) => {
		const isLast = index === messagesJson.length - 1;
		const { role, text } = readMessage(json);
		return `{"type":"${role}","at":${at},"message":${text}${isLast ? idsField(acknowledged) : ""}}`;
	});
}

/** A whole history as one line, so that it replaces the former one entirely or not at all. */
export function formatReplacement(
	messagesJson: readonly string[],
	acknowledged: readonly string[],
	at: number,
): string {
	return `{"type":"replaced","at":${at},"messages":[${messagesJson.map((json) => readMessage(json).text).join(",")}]${idsField(acknowledged)}}`;
}

/** Reads one line, or says why it cannot be read. */
export function parseLine(text: string): TranscriptLine | { readonly fault: string } {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { fault: "not a whole JSON object" };
	}
	const parsed = lineSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	return { fault: `${issue?.path.join(".") || "line"}: ${issue?.message ?? "not a transcript line"}` };
}

const idsField = (ids: readonly string[]) => (ids.length === 0 ? "" : `,"acknowledged":${JSON.stringify(ids)}`);

/** Checks a message that comes as the JSON text it is sent as. The text itself is kept, byte for byte. */
function readMessage(json: string): { readonly role: string; readonly text: string } {
	try {
		const message = messageSchema.parse(JSON.parse(json));
		return { role: message.role, text: json.includes("\n") ? JSON.stringify(message) : json };
	} catch (cause) {
		throw new ClowderError("ERR_BAD_INPUT", `A transcript was given a message that is none: ${json.slice(0, 80)}`, {
			cause,
		});
	}
}
