// Senders, two receivers that come and go, a slow disk and crashes, in any order. What a receiver committed
// survives (its transcript); what it was only handed does not.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageBus } from "../../src/bus/contract.ts";
import { createMessageBus } from "../../src/bus/message-bus.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { Envelope } from "../../src/wire/envelope.ts";
import { createFakeMailboxStore, type FakeMailboxStore, settled } from "./fake-mailbox-store.ts";

const MAILBOX = 4;
const RECEIVERS = ["ann", "bob"] as const;
type Name = (typeof RECEIVERS)[number];

interface Sent {
	readonly id: string;
	readonly from: string;
	readonly to: Name;
	/** When it was sent, and sent again. */
	readonly calls: number[];
	accepted: boolean;
	refusals: number;
}

class World {
	store: FakeMailboxStore = createFakeMailboxStore(true);
	bus: MessageBus = this.open();
	readonly sent: Sent[] = [];
	readonly history = { ann: [] as string[], bob: [] as string[] };
	readonly inbox = { ann: [] as Envelope[], bob: [] as Envelope[] };
	#calls = 0;

	open(): MessageBus {
		const bus = createMessageBus({
			clock: createFakeClock(),
			mailboxStore: this.store,
			limits: { mailbox: MAILBOX },
		});
		for (const name of RECEIVERS) bus.register(name);
		return bus;
	}

	send(from: string, to: Name): void {
		const sent: Sent = { id: `m${this.sent.length}`, from, to, calls: [], accepted: false, refusals: 0 };
		this.sent.push(sent);
		this.sendAgain(sent);
	}

	sendAgain(sent: Sent): void {
		sent.calls.push(this.#calls++);
		void this.bus.send(sent.from, { id: sent.id, kind: "message", to: sent.to, body: sent.id }).then(
			() => {
				sent.accepted = true;
			},
			() => {
				sent.refusals += 1;
			},
		);
	}

	attach(name: Name): void {
		this.inbox[name] = [];
		const inbox = this.inbox[name];
		this.bus.attach(name, { deliver: (envelopes) => void inbox.push(...envelopes) });
	}

	detach(name: Name): void {
		this.bus.detach(name);
		this.inbox[name] = [];
	}

	/** The agent makes mail part of its history; unless the process dies right then, the bus hears of it. */
	commit(name: Name, count: number, tellsBus = true): void {
		const ids = this.inbox[name].splice(0, count).map((envelope) => envelope.id);
		this.history[name].push(...ids);
		if (tellsBus) void this.bus.acknowledge(name, ids);
	}

	crash(): void {
		this.store = this.store.afterCrash();
		this.bus = this.open();
		for (const name of RECEIVERS) {
			this.inbox[name] = [];
			void this.bus.acknowledge(name, this.history[name]);
		}
	}

	async finish(): Promise<void> {
		await this.store.flush();
		for (const name of RECEIVERS) this.attach(name);
		for (const name of RECEIVERS) this.commit(name, Number.POSITIVE_INFINITY);
		await this.store.flush();
	}
}

const name = fc.constantFrom(...RECEIVERS);
const step = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant("send" as const), from: fc.constantFrom("x", "y"), to: name }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant("repeat" as const), which: fc.nat(6) }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant("flush" as const), count: fc.integer({ min: 1, max: 4 }) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant("attach" as const), name }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("detach" as const), name }) },
	{
		weight: 4,
		arbitrary: fc.record({ do: fc.constant("commit" as const), name, count: fc.integer({ min: 1, max: 3 }) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), name, committed: fc.nat(2) }) },
);

async function play(world: World, steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
	for (const one of steps) {
		if (one.do === "send") world.send(one.from, one.to);
		else if (one.do === "repeat") {
			const again = world.sent[one.which];
			if (again) world.sendAgain(again);
		} else if (one.do === "flush") await world.store.flush(one.count);
		else if (one.do === "attach") world.attach(one.name);
		else if (one.do === "detach") world.detach(one.name);
		else if (one.do === "commit") world.commit(one.name, one.count);
		else {
			world.commit(one.name, one.committed, false);
			world.crash();
		}
		await settled();
		for (const { waiting } of world.bus.status()) expect(waiting).toBeLessThanOrEqual(MAILBOX);
	}
	await world.finish();
}

/** Whether each id can be given one of the moments it was sent at, so that the moments grow. */
function isInOrderOfSending(ids: readonly string[], sent: readonly Sent[]): boolean {
	let last = -1;
	return ids.every((id) => {
		const next = sent.find((one) => one.id === id)?.calls.find((call) => call > last);
		last = next ?? last;
		return next !== undefined;
	});
}

test("commits every accepted message once, in order, and none that was only refused", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 80, size: "max" }), async (steps) => {
			const world = new World();
			await play(world, steps);
			for (const receiver of RECEIVERS) {
				const committed = world.history[receiver];
				expect(new Set(committed).size).toBe(committed.length);
				const mine = world.sent.filter((one) => one.to === receiver);
				for (const one of mine.filter((it) => it.accepted)) expect(committed).toContain(one.id);
				for (const one of mine.filter((it) => it.refusals === it.calls.length)) expect(committed).not.toContain(one.id);
				for (const from of ["x", "y"]) {
					const ids = committed.filter((id) => mine.some((one) => one.id === id && one.from === from));
					expect(isInOrderOfSending(ids, world.sent)).toBe(true);
				}
			}
		}),
		{ numRuns: 100 },
	);
});
