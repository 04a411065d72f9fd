import { expect, test } from "vitest";
import type { Envelope } from "../../src/wire/envelope.ts";
import { openTestStore } from "./open-store.ts";

const envelope = (to: string, seq: number): Envelope => ({
	id: `envelope_${to}_${seq}`,
	kind: "message",
	from: "lead",
	to,
	body: "hello",
	sentAt: 1,
	seq,
});

test("keeps what waits and what was settled, in order, across a reopening", async () => {
	const { store, stateDir } = await openTestStore();
	const mail = store.mailboxes("session_1");
	await Promise.all([10, 9, 8, 11].map((seq) => mail.append(envelope("ann", seq))));
	await mail.settle("ann", [{ id: "envelope_ann_9", from: "lead", seq: 9 }], []);
	await store.close();
	const { store: again } = await openTestStore(stateDir);
	expect(again.mailboxes("session_1").load("ann")).toEqual({
		waiting: [envelope("ann", 8), envelope("ann", 10), envelope("ann", 11)],
		settled: [{ id: "envelope_ann_9", from: "lead", seq: 9 }],
	});
	await again.close();
});

test("forgets the places it is told to", async () => {
	const { store } = await openTestStore();
	const mail = store.mailboxes("session_1");
	await mail.append(envelope("ann", 1));
	await mail.append(envelope("ann", 2));
	await mail.settle("ann", [{ id: "envelope_ann_1", from: "lead", seq: 1 }], []);
	await mail.settle("ann", [{ id: "envelope_ann_2", from: "lead", seq: 2 }], [1]);
	expect(mail.load("ann")).toEqual({ waiting: [], settled: [{ id: "envelope_ann_2", from: "lead", seq: 2 }] });
	await store.close();
});

test("tells addresses and sessions apart", async () => {
	const { store } = await openTestStore();
	const one = store.mailboxes("session_1");
	const other = store.mailboxes("session_10");
	await one.append(envelope("ann", 1));
	await one.append(envelope("anna", 1));
	await other.append(envelope("ann", 7));
	expect(one.addresses()).toEqual(["ann", "anna"]);
	await one.clear("ann");
	expect(one.addresses()).toEqual(["anna"]);
	expect(other.load("ann").waiting.map((mail) => mail.seq)).toEqual([7]);
	await store.close();
});
