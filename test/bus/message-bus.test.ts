import { describe, expect, test } from "vitest";
import { createReceiver, message, setUpBus } from "./setup.ts";

describe("send", () => {
	test("stamps an envelope and hands it to the live receiver", async () => {
		const { bus } = setUpBus();
		const ann = createReceiver();
		bus.register("ann", ann);
		const receipt = await bus.send("lead", message("ann", "hello", { id: "m1", summary: "greets" }));
		expect(receipt).toEqual({ id: "m1", state: "delivered" });
		expect(ann.got).toEqual([
			{ id: "m1", kind: "message", from: "lead", to: "ann", body: "hello", summary: "greets", sentAt: 5_000, seq: 1 },
		]);
	});

	test("keeps what comes while there is no receiver and says so", async () => {
		const { bus } = setUpBus();
		bus.register("ann");
		expect(await bus.send("lead", message("ann", "one"))).toMatchObject({ state: "queued" });
		await bus.send("lead", message("ann", "two"));
		const ann = createReceiver();
		bus.attach("ann", ann);
		expect(ann.bodies()).toEqual(["one", "two"]);
		expect(ann.got.map((envelope) => envelope.seq)).toEqual([1, 2]);
	});

	test("takes the sender from the caller, whatever the message says", async () => {
		const { bus } = setUpBus();
		const ann = createReceiver();
		bus.register("ann", ann);
		await bus.send("bob", { ...message("ann", "x"), from: "lead", seq: 99, sentAt: 1 } as never);
		expect(ann.got[0]).toMatchObject({ from: "bob", seq: 1, sentAt: 5_000 });
	});

	test("refuses an unknown receiver and lists the known names", async () => {
		const { bus, steps } = setUpBus();
		bus.register("ann");
		bus.register("bob");
		await expect(bus.send("lead", message("anne", "x", { id: "m1" }))).rejects.toMatchObject({
			code: "ERR_UNKNOWN_RECEIVER",
			message: "No agent is called 'anne'. Known names: ann, bob",
		});
		expect(steps).toEqual([
			{
				step: "refused",
				at: 5_000,
				from: "lead",
				to: "anne",
				messageId: "m1",
				kind: "message",
				detail: "ERR_UNKNOWN_RECEIVER",
			},
		]);
	});

	test("refuses a message without the agreed shape and names the field", async () => {
		const { bus } = setUpBus();
		bus.register("ann");
		const bad = [
			[message("ann", "x".repeat(262_145)), "body"],
			[message("ann", "x", { kind: "gossip" as never }), "kind"],
			[message("ann", "x", { data: { deep: {} as never } }), "data"],
			[message("", "x"), "to"],
		] as const;
		for (const [outgoing, field] of bad) {
			await expect(bus.send("lead", outgoing)).rejects.toMatchObject({
				code: "ERR_BAD_INPUT",
				message: expect.stringContaining(`The message cannot be sent: ${field}`),
			});
		}
		await expect(bus.send("", message("ann", "x"))).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
		expect(bus.peek("ann")).toEqual([]);
	});

	test("refuses the sender when the mailbox is full, until something is acknowledged", async () => {
		const { bus } = setUpBus({ limits: { mailbox: 2 } });
		const ann = createReceiver();
		bus.register("ann", ann);
		await bus.send("lead", message("ann", "1", { id: "m1" }));
		await bus.send("lead", message("ann", "2"));
		await expect(bus.send("lead", message("ann", "3"))).rejects.toMatchObject({
			code: "ERR_MAILBOX_FULL",
			message: "The mailbox of 'ann' is full: 2 messages wait. Send again after it has read some",
		});
		await bus.acknowledge("ann", ["m1"]);
		await bus.send("lead", message("ann", "4"));
		expect(ann.bodies()).toEqual(["1", "2", "4"]);
		expect(ann.got.map((envelope) => envelope.seq)).toEqual([1, 2, 3]);
	});

	test("counts the size of the texts as well", async () => {
		const { bus } = setUpBus({ limits: { mailboxBytes: 2_100 } });
		bus.register("ann");
		await bus.send("lead", message("ann", "x".repeat(800)));
		await expect(bus.send("lead", message("ann", "x".repeat(800)))).rejects.toMatchObject({ code: "ERR_MAILBOX_FULL" });
		await bus.send("lead", message("ann", "short"));
	});

	test("gives the first receipt again for an id it has seen, before and after the acknowledgement", async () => {
		const { bus, steps } = setUpBus();
		const ann = createReceiver();
		bus.register("ann", ann);
		const first = await bus.send("lead", message("ann", "x", { id: "m1" }));
		expect(await bus.send("lead", message("ann", "x", { id: "m1" }))).toEqual(first);
		await bus.acknowledge("ann", ["m1"]);
		expect(await bus.send("lead", message("ann", "x", { id: "m1" }))).toEqual({ id: "m1", state: "delivered" });
		expect(ann.got).toHaveLength(1);
		expect(steps.map((step) => step.step)).toEqual(["accepted", "delivered", "duplicate", "acknowledged", "duplicate"]);
	});

	test("refuses an id that belongs to another sender's message", async () => {
		const { bus } = setUpBus();
		bus.register("ann");
		await bus.send("lead", message("ann", "x", { id: "m1" }));
		await expect(bus.send("bob", message("ann", "y", { id: "m1" }))).rejects.toMatchObject({
			message: "The id 'm1' belongs to a message of 'lead'",
		});
	});

	test("remembers only so many settled ids", async () => {
		const { bus } = setUpBus({ limits: { settledIds: 2 } });
		const ann = createReceiver();
		bus.register("ann", ann);
		for (const id of ["m1", "m2", "m3"]) {
			await bus.send("lead", message("ann", id, { id }));
			await bus.acknowledge("ann", [id]);
		}
		await bus.send("lead", message("ann", "again", { id: "m3" }));
		await bus.send("lead", message("ann", "again", { id: "m1" }));
		expect(ann.bodies()).toEqual(["m1", "m2", "m3", "again"]);
	});
});

describe("attach and detach", () => {
	test("hands a new receiver everything that the former one did not acknowledge", async () => {
		const { bus, steps } = setUpBus();
		const first = createReceiver();
		bus.register("ann", first);
		for (const id of ["m1", "m2", "m3"]) await bus.send("lead", message("ann", id, { id }));
		await bus.acknowledge("ann", ["m2"]);
		bus.detach("ann");
		await bus.send("lead", message("ann", "m4", { id: "m4" }));
		const second = createReceiver();
		bus.attach("ann", second);
		expect(first.bodies()).toEqual(["m1", "m2", "m3"]);
		expect(second.bodies()).toEqual(["m1", "m3", "m4"]);
		expect(steps.slice(-3).map((step) => [step.messageId, step.step])).toEqual([
			["m1", "redelivered"],
			["m3", "redelivered"],
			["m4", "delivered"],
		]);
	});

	test("does not let a former receiver disconnect its successor", async () => {
		const { bus } = setUpBus();
		bus.register("ann");
		const detachFirst = bus.attach("ann", createReceiver());
		const second = createReceiver();
		bus.attach("ann", second);
		detachFirst();
		await bus.send("lead", message("ann", "x"));
		expect(second.bodies()).toEqual(["x"]);
	});

	test("keeps the mail of a receiver that throws for the next one", async () => {
		const { bus, steps } = setUpBus();
		bus.register("ann", {
			deliver: () => {
				throw new Error("port closed");
			},
		});
		expect(await bus.send("lead", message("ann", "x", { id: "m1" }))).toEqual({ id: "m1", state: "queued" });
		expect(bus.status()).toEqual([{ address: "ann", attached: false, waiting: 1 }]);
		expect(steps.at(-1)).toMatchObject({ step: "receiver-failed", messageId: "m1", detail: "port closed" });
		const next = createReceiver();
		bus.attach("ann", next);
		expect(next.bodies()).toEqual(["x"]);
	});

	test("lets a receiver send and acknowledge while it is being handed mail", async () => {
		const { bus } = setUpBus();
		const lead = createReceiver();
		bus.register("lead", lead);
		bus.register("ann", {
			deliver: (envelopes) => {
				for (const envelope of envelopes) {
					void bus.acknowledge("ann", [envelope.id]);
					void bus.send("ann", message("lead", `got ${envelope.body}`));
				}
			},
		});
		await bus.send("lead", message("ann", "x"));
		expect(lead.bodies()).toEqual(["got x"]);
		expect(bus.peek("ann")).toEqual([]);
	});

	test("refuses to attach to an address that is not open, and to open one twice", () => {
		const { bus } = setUpBus();
		expect(() => bus.attach("ann", createReceiver())).toThrow("No agent is called 'ann'. No name is known yet");
		bus.register("ann");
		expect(() => bus.register("ann")).toThrow("The address 'ann' is open already");
		expect(() => bus.register("")).toThrow("1 to 128 characters");
	});
});

describe("unregister", () => {
	test("keeps what was not acknowledged as dead letters, the latest ones", async () => {
		const { bus } = setUpBus({ limits: { deadLetters: 2 } });
		bus.register("ann", createReceiver());
		for (const id of ["m1", "m2", "m3", "m4"]) await bus.send("lead", message("ann", id, { id }));
		await bus.acknowledge("ann", ["m2"]);
		await bus.unregister("ann");
		expect(bus.deadLetters().map(({ envelope, reason, at }) => [envelope.id, reason, at])).toEqual([
			["m3", "'ann' left", 5_000],
			["m4", "'ann' left", 5_000],
		]);
		await expect(bus.send("lead", message("ann", "x"))).rejects.toMatchObject({ code: "ERR_UNKNOWN_RECEIVER" });
	});

	test("drops it when told to, and begins anew when the address is opened again", async () => {
		const { bus } = setUpBus();
		bus.register("ann");
		await bus.send("lead", message("ann", "x"));
		await bus.unregister("ann", { deadLetters: false });
		expect(bus.deadLetters()).toEqual([]);
		bus.register("ann");
		expect(bus.peek("ann")).toEqual([]);
	});

	test("keeps dead letters within their bytes", async () => {
		const { bus } = setUpBus({ limits: { deadLetterBytes: 3_000 } });
		bus.register("ann");
		for (const id of ["m1", "m2", "m3"]) await bus.send("lead", message("ann", "x".repeat(500), { id }));
		await bus.unregister("ann");
		expect(bus.deadLetters().map((letter) => letter.envelope.id)).toEqual(["m2", "m3"]);
	});
});

test("broadcasts to all but the sender, and one that refuses does not stop the others", async () => {
	const { bus } = setUpBus({ limits: { mailbox: 1 } });
	for (const name of ["lead", "ann", "bob"]) bus.register(name, createReceiver());
	await bus.send("lead", message("ann", "fills it"));
	const { accepted, refused } = await bus.broadcast("lead", { body: "all hands" });
	expect(accepted.map((receipt) => [receipt.to, receipt.state])).toEqual([["bob", "delivered"]]);
	expect(refused.map(({ to, error }) => [to, error.code])).toEqual([["ann", "ERR_MAILBOX_FULL"]]);
	expect(bus.peek("bob")[0]).toMatchObject({ kind: "broadcast", from: "lead", body: "all hands" });
	expect(bus.peek("lead")).toEqual([]);
});

test("peeks without a change and drains everything", async () => {
	const { bus } = setUpBus();
	bus.register("host");
	await bus.send("ann", message("host", "1"));
	await bus.send("bob", message("host", "2"));
	expect(bus.peek("host").map((envelope) => envelope.body)).toEqual(["1", "2"]);
	expect((await bus.drain("host")).map((envelope) => envelope.body)).toEqual(["1", "2"]);
	expect(bus.peek("host")).toEqual([]);
	expect(() => bus.peek("nobody")).toThrow("Known names: host");
});

test("keeps the order of each sender and loses nothing when many send at once", async () => {
	const { bus } = setUpBus({ limits: { mailbox: 10_000 } });
	const lead = createReceiver();
	bus.register("lead", lead);
	const senders = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
	await Promise.all(
		senders.map(async (from) => {
			for (let number = 0; number < 1_000; number++) await bus.send(from, message("lead", String(number)));
		}),
	);
	expect(new Set(lead.got.map((envelope) => envelope.id)).size).toBe(8_000);
	for (const from of senders) {
		const numbers = lead.got.filter((envelope) => envelope.from === from).map((envelope) => Number(envelope.body));
		expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
	}
});

test("goes on when somebody who watches throws", async () => {
	const thrown: unknown[] = [];
	const { bus } = setUpBus({ onListenerError: (error) => thrown.push(error) });
	bus.inspect(() => {
		throw new Error("watcher");
	});
	bus.register("ann");
	await bus.send("lead", message("ann", "x"));
	expect(thrown).toEqual([new Error("watcher")]);
	expect(bus.peek("ann")).toHaveLength(1);
});

test("refuses everything new after close", async () => {
	const { bus } = setUpBus();
	bus.register("ann");
	await bus.close();
	await expect(bus.send("lead", message("ann", "x"))).rejects.toMatchObject({ code: "ERR_CLOSED" });
	expect(() => bus.register("bob")).toThrow("The supervisor is closed");
});
