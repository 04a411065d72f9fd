import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { createModelLink, type ModelLink } from "../../src/thread/model-link.ts";
import type { ModelCommand, ModelReply } from "../../src/wire/model-call.ts";
import { request } from "../model/harness.ts";

const ports: MessagePort[] = [];
afterEach(() => {
	for (const port of ports.splice(0)) port.close();
});

/** The gateway's end of a connection. */
function openGateway() {
	const { port1: outer, port2: inner } = new MessageChannel();
	ports.push(outer, inner);
	const commands: ModelCommand[] = [];
	const waiting: (() => void)[] = [];
	outer.on("message", (command: ModelCommand) => {
		commands.push(command);
		for (const wake of waiting.splice(0)) wake();
	});
	return {
		inner,
		commands,
		answer: (callId: number, text: string) =>
			outer.postMessage({ type: "call-finished", callId, reply: { content: [{ type: "text", text }] } }),
		die: () => outer.close(),
		/** Resolves when so many commands have come. */
		async received(count: number): Promise<readonly string[]> {
			while (commands.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
			return commands.map(({ type }) => type);
		},
	};
}

const textOf = (reply: ModelReply) => reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");

function ask(link: ModelLink, over: Parameters<typeof request>[0] = {}, retries: string[] = []) {
	const onRetry = ({ message }: { message: string }) => void retries.push(message);
	return link.callModel(request(over), { signal: new AbortController().signal, onRetry }).then(textOf);
}

test("asks for a connection when an agent begins without one, and makes the calls that waited for it", async () => {
	const link = createModelLink(createFakeClock());
	let asked = 0;
	link.attach(() => {
		asked += 1;
	});
	const reply = ask(link);
	expect(asked).toBe(1);
	const gateway = openGateway();
	link.usePort(gateway.inner);
	expect(await gateway.received(2)).toEqual(["use-prefix", "start-call"]);
	gateway.answer(1, "hello");
	expect(await reply).toBe("hello");
});

test("keeps the connection from one agent to the next, and cancels what the first left open", async () => {
	const link = createModelLink(createFakeClock());
	const gateway = openGateway();
	let asked = 0;
	link.attach(() => {
		asked += 1;
		link.usePort(gateway.inner);
	});
	const left = ask(link);
	const refused = expect(left).rejects.toMatchObject({ code: "ERR_ABORTED" });
	link.detach();
	await refused;
	link.attach(() => {
		asked += 1;
	});
	const next = ask(link);
	expect(await gateway.received(4)).toEqual(["use-prefix", "start-call", "cancel-call", "start-call"]);
	gateway.answer(1, "too late");
	gateway.answer(2, "for the second");
	expect(await next).toBe("for the second");
	expect(asked).toBe(1);
});

test("sends the beginning of the calls only when it is another one", async () => {
	const link = createModelLink(createFakeClock());
	const gateway = openGateway();
	link.attach(() => link.usePort(gateway.inner));
	const replies = [ask(link), ask(link), ask(link, { system: "You hinder." }), ask(link, { system: "You hinder." })];
	await gateway.received(6);
	expect(gateway.commands).toMatchObject([
		{ type: "use-prefix", prefix: { system: "You help.", toolsJson: "[]" } },
		{ type: "start-call", callId: 1 },
		{ type: "start-call", callId: 2 },
		{ type: "use-prefix", prefix: { system: "You hinder.", toolsJson: "[]" } },
		{ type: "start-call", callId: 3 },
		{ type: "start-call", callId: 4 },
	]);
	expect(gateway.commands[1]).not.toHaveProperty("request.system");
	for (const callId of [1, 2, 3, 4]) gateway.answer(callId, "yes");
	await Promise.all(replies);
});

test("starts calls again on the next connection when one is lost", async () => {
	const link = createModelLink(createFakeClock());
	const gateways = [openGateway(), openGateway()];
	let asked = 0;
	link.attach(() => {
		const next = gateways[asked];
		asked += 1;
		if (next) link.usePort(next.inner);
	});
	const retries: string[] = [];
	const reply = ask(link, {}, retries);
	await gateways[0]?.received(2);
	gateways[0]?.die();
	expect(await gateways[1]?.received(2)).toEqual(["use-prefix", "start-call"]);
	gateways[1]?.answer(1, "from the second");
	expect(await reply).toBe("from the second");
	expect(retries).toEqual(["the model gateway restarted"]);
});

test("gives a call up that has met its fourth lost connection", async () => {
	const link = createModelLink(createFakeClock());
	link.attach(() => {
		const gateway = openGateway();
		void gateway.received(2).then(gateway.die);
		link.usePort(gateway.inner);
	});
	await expect(ask(link)).rejects.toMatchObject({ code: "ERR_THREAD_GONE" });
	link.detach();
});

test("waits 30 seconds for a connection", async () => {
	const clock = createFakeClock();
	const link = createModelLink(clock);
	link.attach(() => {});
	const reply = ask(link);
	const refused = expect(reply).rejects.toMatchObject({ code: "ERR_THREAD_GONE" });
	let settled = false;
	reply.catch(() => {
		settled = true;
	});
	await clock.advance(29_999);
	expect(settled).toBe(false);
	await clock.advance(1);
	await refused;
});

test("fails calls at once with what main says when there is no gateway, until there is one", async () => {
	const link = createModelLink(createFakeClock());
	link.attach(() => {});
	const before = ask(link);
	const refused = expect(before).rejects.toThrow("it stays down");
	link.refuse(new Error("it stays down"));
	await refused;
	await expect(ask(link)).rejects.toThrow("it stays down");
	const gateway = openGateway();
	link.usePort(gateway.inner);
	const reply = ask(link);
	await gateway.received(2);
	gateway.answer(2, "back");
	expect(await reply).toBe("back");
});
