import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BudgetLedger } from "../../src/supervision/budget-ledger.ts";
import { ProcessLedger } from "../../src/supervision/process-ledger.ts";
import { Slots } from "../../src/supervision/slots.ts";
import { StatusBoard } from "../../src/supervision/status-board.ts";

describe("Slots", () => {
	it("gives out as many slots as the limit and no more", () => {
		const slots = new Slots(new StatusBoard({ rows: 1 }).shared.header, 2);
		expect([slots.tryTake(), slots.tryTake(), slots.tryTake()]).toEqual([true, true, false]);
		expect(slots.taken).toBe(2);
		slots.give();
		expect(slots.tryTake()).toBe(true);
	});

	it("treats a slot given back twice as a bug", () => {
		const slots = new Slots(new StatusBoard({ rows: 1 }).shared.header, 2);
		slots.tryTake();
		slots.give();
		expect(() => slots.give()).toThrow("A slot was given back that nobody had taken");
		expect(slots.taken).toBe(0);
	});
});

describe("BudgetLedger", () => {
	it("refuses a reservation that a cap does not cover and leaves the ledger as it was", () => {
		const ledger = new BudgetLedger({ tokens: 100, usd: 1 });
		expect(ledger.reserve(50, 2)).toBeUndefined();
		expect(ledger.used()).toEqual({ tokens: 0, usd: 0 });
		expect(ledger.reserve(100, 1)).toBeDefined();
		expect(ledger.reserve(1, 0)).toBeUndefined();
	});

	it("puts the true use in the place of the estimate, once", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		const reservation = ledger.reserve(80, 0.5);
		reservation?.settle(30, 0.1);
		reservation?.settle(30, 0.1);
		expect(ledger.used()).toEqual({ tokens: 30, usd: 0.1 });
	});

	it("never lets reservations pass the cap, whatever the order of reserving and settling", () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ estimate: fc.nat(40), used: fc.nat(40), settleFirst: fc.boolean() })),
				(calls) => {
					const ledger = new BudgetLedger({ tokens: 100 });
					const open: (() => void)[] = [];
					for (const { estimate, used, settleFirst } of calls) {
						if (settleFirst) open.shift()?.();
						const reservation = ledger.reserve(estimate, 0);
						if (reservation) open.push(() => reservation.settle(Math.min(used, estimate), 0));
						expect(ledger.used().tokens).toBeLessThanOrEqual(100);
					}
				},
			),
		);
	});

	it("is the same ledger through its buffer", () => {
		const ledger = new BudgetLedger({ tokens: 10 });
		new BudgetLedger({ buffer: ledger.buffer }).reserve(10, 0);
		expect(ledger.reserve(1, 0)).toBeUndefined();
	});
});

describe("ProcessLedger", () => {
	it("keeps groups by run and kills only that run's", () => {
		const ledger = new ProcessLedger({ entries: 8 });
		const a = { row: 0, epoch: 1 };
		const b = { row: 0, epoch: 2 };
		ledger.add(a, 100);
		ledger.add(a, 101);
		ledger.add(b, 200);
		const killed: number[] = [];
		expect(ledger.killGroupsOf(a, (pgid) => killed.push(pgid) > 0)).toBe(2);
		expect(killed).toEqual([100, 101]);
		expect(ledger.allGroups()).toEqual([200]);
	});

	it("says when it is full, and has room again after a group ended", () => {
		const ledger = new ProcessLedger({ entries: 1 });
		const key = { row: 3, epoch: 9 };
		expect(ledger.add(key, 5)).toBe(true);
		expect(ledger.add(key, 6)).toBe(false);
		ledger.remove(key, 5);
		expect(new ProcessLedger({ buffer: ledger.buffer }).add(key, 6)).toBe(true);
		expect(ledger.groupsOf(key)).toEqual([6]);
	});
});
