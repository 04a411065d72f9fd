import fc from "fast-check";
import { expect, test } from "vitest";
import { PlanGate } from "../../../src/teams/protocols/plan-gate.ts";

test("lets a member change things while no plan is asked for, whatever else comes in", () => {
	const gate = new PlanGate();
	expect(gate.submit("p1")).toEqual({ changed: false, state: { kind: "open" } });
	expect(gate.decide("p1", false)).toEqual({ changed: false, state: { kind: "open" } });
	expect(gate.newTask()).toEqual({ changed: false, state: { kind: "open" } });
	expect(gate.mayChange).toBe(true);
});

test("opens with the approval of the plan that was handed in, and closes with the next task", () => {
	const gate = new PlanGate();
	expect(gate.require()).toEqual({ changed: true, state: { kind: "needs-plan" } });
	expect(gate.mayChange).toBe(false);
	expect(gate.submit("p1")).toEqual({ changed: true, state: { kind: "submitted", requestId: "p1" } });
	expect(gate.mayChange).toBe(false);
	expect(gate.decide("p1", true)).toEqual({ changed: true, state: { kind: "approved", requestId: "p1" } });
	expect(gate.mayChange).toBe(true);
	expect(gate.newTask()).toEqual({ changed: true, state: { kind: "needs-plan" } });
	expect(gate.mayChange).toBe(false);
	expect(gate.newTask()).toEqual({ changed: false, state: { kind: "needs-plan" } });
});

test("asks for another plan after a rejection", () => {
	const gate = new PlanGate();
	gate.require();
	gate.submit("p1");
	expect(gate.decide("p1", false)).toEqual({ changed: true, state: { kind: "needs-plan" } });
	expect(gate.decide("p1", true)).toEqual({ changed: false, state: { kind: "needs-plan" } });
	expect(gate.mayChange).toBe(false);
});

test("names the request that is void after each event that overtakes it", () => {
	const gate = new PlanGate({ kind: "needs-plan" });
	gate.submit("p1");
	expect(gate.submit("p2")).toEqual({
		changed: true,
		state: { kind: "submitted", requestId: "p2" },
		voided: "p1",
	});
	expect(gate.decide("p1", true).changed).toBe(false);
	expect(gate.require()).toEqual({ changed: true, state: { kind: "needs-plan" }, voided: "p2" });
	gate.submit("p3");
	expect(gate.newTask()).toEqual({ changed: true, state: { kind: "needs-plan" }, voided: "p3" });
	expect(gate.decide("p3", true).changed).toBe(false);
	expect(gate.mayChange).toBe(false);
});

test("closes when another plan is handed in after an approval", () => {
	const gate = new PlanGate({ kind: "approved", requestId: "p1" });
	expect(gate.submit("p2")).toEqual({ changed: true, state: { kind: "submitted", requestId: "p2" } });
	expect(gate.mayChange).toBe(false);
	expect(gate.decide("p1", true).changed).toBe(false);
});

test("takes the same plan once", () => {
	const gate = new PlanGate({ kind: "submitted", requestId: "p1" });
	expect(gate.submit("p1")).toEqual({ changed: false, state: { kind: "submitted", requestId: "p1" } });
	expect(gate.decide("p1", true).changed).toBe(true);
});

test("opens for nothing but the approval of the latest plan, in any order of events", () => {
	const requestId = fc.constantFrom("p1", "p2", "p3");
	const event = fc.oneof(
		fc.constant({ kind: "require" } as const),
		fc.constant({ kind: "new-task" } as const),
		fc.record({ kind: fc.constant("submit" as const), requestId }),
		fc.record({ kind: fc.constant("decide" as const), requestId, approve: fc.boolean() }),
	);
	fc.assert(
		fc.property(fc.array(event, { maxLength: 40 }), (events) => {
			const gate = new PlanGate();
			let isGated = false;
			let isApproved = false;
			let waiting: string | undefined;
			for (const one of events) {
				if (one.kind === "require") {
					gate.require();
					[isGated, waiting, isApproved] = [true, undefined, false];
				} else if (one.kind === "new-task") {
					gate.newTask();
					[waiting, isApproved] = [undefined, false];
				} else if (one.kind === "submit") {
					expect(gate.submit(one.requestId).voided).toBe(waiting === one.requestId ? undefined : waiting);
					if (isGated) [waiting, isApproved] = [one.requestId, false];
				} else {
					const counts = waiting === one.requestId;
					expect(gate.decide(one.requestId, one.approve).changed).toBe(counts);
					if (counts) [waiting, isApproved] = [undefined, one.approve];
				}
				expect(gate.mayChange).toBe(!isGated || isApproved);
			}
		}),
	);
});
