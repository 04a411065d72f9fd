import { expect, test } from "vitest";
import type { Envelope } from "../../src/wire/envelope.ts";
import { createReceiver, message, setUpBus } from "./setup.ts";

const question = message("ann", "ready?", { kind: "shutdown_request", correlationId: "q1" });
const answer = message("lead", "yes", { kind: "shutdown_response", correlationId: "q1" });

test("gives the answer to whoever asked and to no mailbox", async () => {
	const { bus, steps, clock } = setUpBus();
	bus.register("lead");
	bus.register("ann");
	const asked = bus.ask("lead", question, { deadlineMs: 1_000 });
	expect(bus.peek("ann")[0]).toMatchObject({ body: "ready?", correlationId: "q1" });
	expect(await bus.send("ann", answer)).toMatchObject({ state: "delivered" });
	expect(await asked).toMatchObject({ body: "yes", from: "ann", to: "lead", kind: "shutdown_response" });
	expect(bus.peek("lead")).toEqual([]);
	expect(steps.at(-1)).toMatchObject({ step: "answered", from: "ann", to: "lead", correlationId: "q1" });
	expect(clock.pending()).toBe(0);
});

test("makes a correlation id when there is none", async () => {
	const { bus } = setUpBus();
	const asked: Envelope[] = [];
	bus.register("ann", { deliver: (envelopes) => void asked.push(...envelopes) });
	const answered = bus.ask("lead", message("ann", "ready?"), { deadlineMs: 1_000 });
	const correlationId = asked[0]?.correlationId ?? "";
	expect(correlationId).toMatch(/^ask_/);
	await bus.send("ann", message("lead", "yes", { correlationId }));
	expect((await answered).body).toBe("yes");
});

test("takes no answer from another agent or with another correlation id", async () => {
	const { bus } = setUpBus();
	for (const name of ["lead", "ann", "bob"]) bus.register(name);
	const asked = bus.ask("lead", question, { deadlineMs: 1_000 });
	await bus.send("bob", answer);
	await bus.send("ann", { ...answer, correlationId: "q2" });
	expect(bus.peek("lead").map((envelope) => envelope.from)).toEqual(["bob", "ann"]);
	await bus.send("ann", answer);
	expect((await asked).from).toBe("ann");
});

test("gives up at the deadline; a late answer goes to the mailbox", async () => {
	const { bus, clock } = setUpBus();
	bus.register("lead");
	bus.register("ann");
	const asked = expect(bus.ask("lead", question, { deadlineMs: 1_000 })).rejects.toMatchObject({
		code: "ERR_TIMEOUT",
		message: "'ann' did not answer 'lead' in 1000 ms",
	});
	await clock.advance(1_000);
	await asked;
	await bus.send("ann", answer);
	expect(bus.peek("lead")[0]).toMatchObject({ body: "yes" });
});

test("gives up when its signal aborts, and does not send when it was aborted before", async () => {
	const { bus, clock } = setUpBus();
	bus.register("ann");
	const controller = new AbortController();
	const asked = bus.ask("lead", question, { deadlineMs: 1_000, signal: controller.signal });
	controller.abort(new Error("stopped"));
	await expect(asked).rejects.toMatchObject({ code: "ERR_ABORTED", cause: new Error("stopped") });
	const again = bus.ask("lead", { ...question, correlationId: "q2" }, { deadlineMs: 1_000, signal: controller.signal });
	await expect(again).rejects.toMatchObject({ code: "ERR_ABORTED" });
	expect(bus.peek("ann")).toHaveLength(1);
	expect(clock.pending()).toBe(0);
});

test("fails at once when the question is refused", async () => {
	const { bus, clock } = setUpBus();
	await expect(bus.ask("lead", question, { deadlineMs: 1_000 })).rejects.toMatchObject({
		code: "ERR_UNKNOWN_RECEIVER",
	});
	expect(clock.pending()).toBe(0);
});

test("fails when the asked agent leaves or the bus closes", async () => {
	const { bus } = setUpBus();
	bus.register("ann");
	bus.register("bob", createReceiver());
	const leaving = expect(bus.ask("lead", question, { deadlineMs: 1_000 })).rejects.toMatchObject({
		code: "ERR_UNKNOWN_RECEIVER",
		message: "'ann' left before it answered 'lead'",
	});
	const closing = expect(bus.ask("lead", { ...question, to: "bob" }, { deadlineMs: 1_000 })).rejects.toMatchObject({
		code: "ERR_CLOSED",
	});
	await bus.unregister("ann");
	await leaving;
	await bus.close();
	await closing;
});

test("refuses a correlation id that waits already and more questions than may wait, without sending them", async () => {
	const { bus } = setUpBus({ limits: { asks: 1 } });
	bus.register("ann");
	const first = expect(bus.ask("lead", question, { deadlineMs: 1_000 })).rejects.toMatchObject({ code: "ERR_CLOSED" });
	await expect(bus.ask("lead", question, { deadlineMs: 1_000 })).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
	await expect(bus.ask("bob", question, { deadlineMs: 1_000 })).rejects.toMatchObject({ code: "ERR_MAILBOX_FULL" });
	expect(bus.peek("ann")).toHaveLength(1);
	await bus.close();
	await first;
});
