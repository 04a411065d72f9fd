import { expect, test } from "vitest";
import { ClaimTracker } from "../../../src/teams/autonomy/claim-tracker.ts";
import { owner } from "../../tasks/setup.ts";

const ann = owner("ann");
const bob = owner("bob");

test("knows nobody at first", () => {
	const tracker = new ClaimTracker();
	expect(tracker.teammateFor("t1")).toBeUndefined();
	expect(tracker.hasPendingAssignment("run_ann")).toBe(false);
	expect(tracker.snapshot()).toEqual([]);
});

test("names the member that has a task", () => {
	const tracker = new ClaimTracker();
	tracker.assign("t1", 1, ann);
	expect(tracker.teammateFor("t1")).toBe("ann");
	expect(tracker.teammateFor("t2")).toBeUndefined();
});

test("tells who has a task already, by the life and not by the name", () => {
	const tracker = new ClaimTracker();
	tracker.assign("t1", 1, ann);
	expect(tracker.hasPendingAssignment("run_ann")).toBe(true);
	expect(tracker.hasPendingAssignment("run_bob")).toBe(false);
	expect(tracker.hasPendingAssignment("run_ann_2")).toBe(false);
});

test("forgets a task that is released, and only that", () => {
	const tracker = new ClaimTracker();
	tracker.assign("t1", 1, ann);
	tracker.assign("t2", 1, bob);
	tracker.release("t1");
	expect(tracker.teammateFor("t1")).toBeUndefined();
	expect(tracker.hasPendingAssignment("run_ann")).toBe(false);
	expect(tracker.teammateFor("t2")).toBe("bob");
});

test("takes the release of a task that nobody has", () => {
	const tracker = new ClaimTracker();
	tracker.release("t1");
	tracker.markReminded("t1");
	expect(tracker.snapshot()).toEqual([]);
});

test("replaces an assignment by a later one of the same task", () => {
	const tracker = new ClaimTracker();
	tracker.assign("t1", 1, ann);
	tracker.assign("t2", 1, bob);
	tracker.markReminded("t1");
	tracker.release("t2");
	tracker.assign("t1", 2, bob);
	expect(tracker.hasPendingAssignment("run_ann")).toBe(false);
	expect(tracker.snapshot()).toEqual([{ taskId: "t1", claimVersion: 2, owner: bob, reminded: false }]);
});

test("gives a snapshot that later changes do not show in", () => {
	const tracker = new ClaimTracker();
	tracker.assign("t2", 3, ann);
	tracker.assign("t1", 1, bob);
	const snapshot = tracker.snapshot();
	tracker.markReminded("t2");
	tracker.release("t1");
	expect(snapshot).toEqual([
		{ taskId: "t2", claimVersion: 3, owner: ann, reminded: false },
		{ taskId: "t1", claimVersion: 1, owner: bob, reminded: false },
	]);
	expect(tracker.snapshot()).toEqual([{ taskId: "t2", claimVersion: 3, owner: ann, reminded: true }]);
});
