import { expect, test } from "vitest";
import { ClowderError } from "../../src/errors.ts";
import { openTestStore } from "../store/open-store.ts";
import { createFakeMailboxStore, settled } from "./fake-mailbox-store.ts";
import { createReceiver, message, setUpBus } from "./setup.ts";

test("gives a receipt, and delivers, only once the envelope is durable", async () => {
	const store = createFakeMailboxStore(true);
	const { bus } = setUpBus({ mailboxStore: store });
	const ann = createReceiver();
	bus.register("ann", ann);
	let receipt: unknown;
	const sent = bus.send("lead", message("ann", "x", { id: "m1" })).then((given) => {
		receipt = given;
	});
	await settled();
	expect({ receipt, got: ann.got, waiting: bus.peek("ann") }).toEqual({
		receipt: undefined,
		got: [],
		waiting: [],
	});
	await store.flush();
	await sent;
	expect(receipt).toEqual({ id: "m1", state: "delivered" });
});

test("gives one receipt to a message and its repetition while it is being saved", async () => {
	const store = createFakeMailboxStore(true);
	const { bus } = setUpBus({ mailboxStore: store });
	const ann = createReceiver();
	bus.register("ann", ann);
	const both = Promise.all([1, 2].map(() => bus.send("lead", message("ann", "x", { id: "m1" }))));
	await store.flush();
	expect(await both).toEqual([
		{ id: "m1", state: "delivered" },
		{ id: "m1", state: "delivered" },
	]);
	expect(ann.got).toHaveLength(1);
});

test("refuses a message that cannot be saved, and delivers the next", async () => {
	const store = createFakeMailboxStore();
	const { bus, steps } = setUpBus({ mailboxStore: store });
	const ann = createReceiver();
	bus.register("ann", ann);
	store.failNextAppend(new ClowderError("ERR_STATE_DIR", "disk full"));
	const results = await Promise.allSettled(["m1", "m2"].map((id) => bus.send("lead", message("ann", id, { id }))));
	expect(results).toMatchObject([{ reason: { code: "ERR_STATE_DIR" } }, { value: { state: "delivered" } }]);
	expect(ann.bodies()).toEqual(["m2"]);
	expect(steps.map((step) => [step.messageId, step.step])).toEqual([
		["m1", "refused"],
		["m2", "accepted"],
		["m2", "delivered"],
	]);
});

test("refuses a message whose receiver left while it was being saved, and leaves nothing of it", async () => {
	const store = createFakeMailboxStore(true);
	const { bus } = setUpBus({ mailboxStore: store });
	bus.register("ann");
	const sent = expect(bus.send("lead", message("ann", "x"))).rejects.toMatchObject({ code: "ERR_UNKNOWN_RECEIVER" });
	const left = bus.unregister("ann");
	bus.register("ann");
	expect(bus.peek("ann")).toEqual([]);
	await store.flush();
	await Promise.all([sent, left]);
	expect(store.load("ann")).toEqual({ waiting: [], settled: [] });
});

test("waits at close for what is being saved", async () => {
	const store = createFakeMailboxStore(true);
	const { bus } = setUpBus({ mailboxStore: store });
	bus.register("ann");
	const sent = bus.send("lead", message("ann", "x"));
	let closed = false;
	const closing = bus.close().then(() => {
		closed = true;
	});
	await settled();
	expect(closed).toBe(false);
	await store.flush();
	await Promise.all([sent, closing]);
});

test("brings back after a crash what was not acknowledged, tells repetitions, and counts on", async () => {
	const { store, stateDir } = await openTestStore();
	const { bus } = setUpBus({ mailboxStore: store.mailboxes("session_1") });
	bus.register("ann", createReceiver());
	for (const id of ["m1", "m2", "m3"]) await bus.send("lead", message("ann", id, { id }));
	await bus.acknowledge("ann", ["m1", "m3"]);
	await store.close();

	const { store: reopened } = await openTestStore(stateDir);
	const { bus: after } = setUpBus({ mailboxStore: reopened.mailboxes("session_1") });
	after.register("ann");
	expect(await after.send("lead", message("ann", "m3", { id: "m3" }))).toEqual({ id: "m3", state: "delivered" });
	await after.send("lead", message("ann", "m4", { id: "m4" }));
	const ann = createReceiver();
	after.attach("ann", ann);
	expect(ann.got.map((envelope) => [envelope.body, envelope.seq])).toEqual([
		["m2", 2],
		["m4", 4],
	]);
	await after.close();
	await reopened.close();
});

test("does not hand out again what the transcript says is part of the history", async () => {
	const store = createFakeMailboxStore();
	const before = setUpBus({ mailboxStore: store }).bus;
	before.register("ann", createReceiver());
	for (const id of ["m1", "m2"]) await before.send("lead", message("ann", id, { id }));
	// The process dies after m1 was committed to the transcript and before the bus heard of it.
	const { bus } = setUpBus({ mailboxStore: store.afterCrash() });
	bus.register("ann");
	await bus.acknowledge("ann", ["m1"]);
	const ann = createReceiver();
	bus.attach("ann", ann);
	expect(ann.bodies()).toEqual(["m2"]);
});

test("keeps the latest place on record however many settled ids it forgets", async () => {
	const store = createFakeMailboxStore();
	const limits = { settledIds: 2 };
	const { bus } = setUpBus({ mailboxStore: store, limits });
	bus.register("ann");
	for (const id of ["m1", "m2", "m3", "m4"]) await bus.send("lead", message("ann", id, { id }));
	await bus.acknowledge("ann", ["m4"]);
	await bus.acknowledge("ann", ["m1", "m2", "m3"]);
	expect(store.load("ann").settled.map((mail) => mail.id)).toEqual(["m3", "m4"]);
	const after = setUpBus({ mailboxStore: store.afterCrash(), limits }).bus;
	after.register("ann");
	await after.send("lead", message("ann", "m5"));
	expect(after.peek("ann")[0]?.seq).toBe(5);
});
