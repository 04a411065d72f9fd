// A Messages server that costs next to nothing: in a benchmark it stands for machines elsewhere, and what it takes of
// this one's processor is missing to both sides, more so to the one that uses several cores. It understands the
// requests of HTTP/1.1 with a length, answers each with prepared bytes after a delay, and knows the turn of a
// conversation by the number of its assistant messages.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { contentOf, wireUsageOf } from "../../src/testing/fake-reply.ts";
import { eventsOf } from "../../src/testing/sse-events.ts";
import type { ScriptedReply } from "../../src/wire/model-config.ts";

const HEAD_END = "\r\n\r\n";
const ASSISTANT = '"role":"assistant"';

/** Serves on a free port of 127.0.0.1; resolves with the address. */
export async function startLeanServer(replies: readonly ScriptedReply[]): Promise<string> {
	const answers = replies.map((reply, turn) => ({ bytes: responseTo(reply, turn), delayMs: reply.delayMs ?? 0 }));
	const server = createServer({ noDelay: true }, (socket) => {
		socket.on("error", () => socket.destroy());
		readRequests(socket, (body) => {
			const answer = answers[countOf(body, ASSISTANT)];
			if (!answer) return void socket.destroy(new Error("The script has no reply left"));
			setTimeout(() => socket.write(answer.bytes), answer.delayMs);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls `onBody` with each request's body, in order. */
function readRequests(socket: Socket, onBody: (body: Buffer) => void): void {
	let pending = Buffer.alloc(0);
	let expected = 0;
	socket.on("data", (chunk) => {
		pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
		while (pending.length > 0 && pending.length >= expected) {
			const headBytes = pending.indexOf(HEAD_END) + HEAD_END.length;
			if (headBytes < HEAD_END.length) return;
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(pending.toString("latin1", 0, headBytes))?.[1]);
			if (Number.isNaN(length)) return void socket.destroy(new Error("A request came without its length"));
			expected = headBytes + length;
			if (pending.length < expected) return;
			onBody(pending.subarray(headBytes, expected));
			pending = pending.subarray(expected);
			expected = 0;
		}
	});
}

function countOf(bytes: Buffer, text: string): number {
	let count = 0;
	for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) count += 1;
	return count;
}

function responseTo(reply: ScriptedReply, turn: number): Buffer {
	const content = contentOf(reply, turn + 1);
	const events = eventsOf(
		{
			id: `msg_bench_${turn}`,
			model: "claude-bench",
			content,
			stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
			usage: wireUsageOf(undefined, "", JSON.stringify(content)),
		},
		1,
	);
	// One chunk per event, as a stream has.
	const chunks = events.map((event) => {
		const text = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
		return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
	});
	const head = ["HTTP/1.1 200 OK", "content-type: text/event-stream", "transfer-encoding: chunked"].join("\r\n");
	return Buffer.from(`${head}${HEAD_END}${chunks.join("")}0\r\n\r\n`);
}
