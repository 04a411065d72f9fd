import { describe, expect, test } from "vitest";
import { setUpClaimer } from "./setup.ts";

describe("claims", () => {
	test("does nothing without tasks or without members", async () => {
		const { team, create, tick, store } = await setUpClaimer();
		team.spawn("researcher");
		expect(await tick()).toEqual([]);
		team.end("researcher");
		await create("one");
		expect(await tick()).toEqual([]);
		await store.close();
	});

	test("hands ready tasks to idle members, both in their order", async () => {
		const { board, team, tracker, create, tick, statusOf, store } = await setUpClaimer();
		await create("one", "two", "three");
		team.spawn("researcher", "reviewer");
		expect(await tick()).toEqual(["t1 claimed by researcher", "t2 claimed by reviewer"]);
		expect(team.assigned).toEqual(["researcher: task-t1-v1", "reviewer: task-t2-v1"]);
		expect(board.get("t1")).toMatchObject({ status: "IN_PROGRESS", owner: { id: "run_researcher_1" } });
		expect(statusOf("t3")).toBe("PENDING");
		expect(tracker.teammateFor("t2")).toBe("reviewer");
		await store.close();
	});

	test("tells the member what to do and how to end it", async () => {
		const { board, team, tick, store } = await setUpClaimer();
		await board.create({ title: "Study\nthe cache", description: "Where are entries dropped?" });
		team.spawn("researcher");
		await tick();
		expect(team.living("researcher").inbox).toEqual([
			{
				id: "task-t1-v1",
				taskId: "t1",
				claimVersion: 1,
				summary: "task t1",
				body: [
					"Autonomous task t1: Study the cache",
					"Where are entries dropped?",
					'The task is claimed for you. When it is done, call complete_task with the task_id "t1" and the result. If it cannot be done, give it back: call update_task with the task_id "t1" and the status "PENDING".',
				].join("\n\n"),
			},
		]);
		await store.close();
	});

	test("points to results that a task waited for, and to work that a lost owner left", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one");
		await board.create({ title: "two", blockedBy: ["t1"] });
		await board.completeByHand("t1");
		team.spawn("ann");
		await tick();
		team.end("ann");
		await board.releaseOwner("run_ann_1");
		team.spawn("bob");
		await tick();
		expect(team.bodies[1]?.split("\n\n").slice(0, 3)).toEqual([
			"Autonomous task t2: two",
			"It waited for t1: get_task shows what came out of that.",
			"This is attempt 2: an earlier owner was lost. Look for work it left behind.",
		]);
		await store.close();
	});

	test("leaves blocked tasks, members with mail and members at work alone", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one");
		await board.create({ title: "two", blockedBy: ["t1"] });
		team.spawn("ann", "bob");
		team.begin("ann");
		expect(await tick()).toEqual(["t1 claimed by bob"]);
		team.rest("ann");
		expect(await tick()).toEqual([]);
		await store.close();
	});

	test("hands out no more than the limit in one round", async () => {
		const { team, create, tick, store } = await setUpClaimer({ maxTasksPerTick: 2 });
		await create("one", "two", "three");
		team.spawn("ann", "bob", "carol");
		expect(await tick()).toEqual(["t1 claimed by ann", "t2 claimed by bob"]);
		expect(await tick()).toEqual(["t3 claimed by carol"]);
		await store.close();
	});

	test("gives one task to one of 16 idle members", async () => {
		const { team, create, claimer, store } = await setUpClaimer();
		await create("one");
		team.spawn(...Array.from({ length: 16 }, (_, at) => `m${at}`));
		const rounds = await Promise.all([1, 2, 3].map(() => claimer.tick({ claim: true })));
		expect(rounds.flatMap(({ claimed }) => claimed)).toEqual([{ taskId: "t1", teammate: "m0", claimVersion: 1 }]);
		expect(team.assigned).toEqual(["m0: task-t1-v1"]);
		await store.close();
	});

	test("goes on with the next task or member when somebody else was faster", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one", "two", "three");
		team.spawn("ann", "bob", "carol");
		const other = { id: "run_other", name: "other", sessionId: "session_2" };
		let isFirst = true;
		const idle = team.idle.bind(team);
		team.idle = () => {
			// Queued before the claims of the round, and not yet to be seen on the board.
			if (isFirst) void Promise.all([board.claim("t1", other), board.claim("t2", team.living("ann").owner)]);
			isFirst = false;
			return idle();
		};
		expect(await tick()).toEqual(["t3 claimed by bob"]);
		await store.close();
	});

	test("is no failure when the board is closed", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		const idle = team.idle.bind(team);
		let closing: Promise<void> | undefined;
		team.idle = () => {
			closing = store.close();
			return idle();
		};
		const ready = board.ready();
		board.ready = () => ready;
		board.claimOf = () => undefined;
		expect(await tick()).toEqual([]);
		await closing;
	});

	test("leaves tasks alone that a member claimed by itself or before a restart", async () => {
		const { board, team, create, tick, statusOf, store } = await setUpClaimer();
		await create("one", "two");
		team.spawn("ann");
		await board.claim("t1", team.living("ann").owner);
		expect(await tick()).toEqual([]);
		expect([statusOf("t1"), statusOf("t2")]).toEqual(["IN_PROGRESS", "PENDING"]);
		await store.close();
	});

	test("gives the claim back when the member's mailbox refuses, and asks the next member", async () => {
		const { board, clock, team, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann", "bob");
		team.living("ann").refusal = new Error("mailbox full");
		expect(await tick()).toEqual(["t1 claimed by bob", "Error: mailbox full"]);
		expect(board.claimOf("run_ann_1")).toBeUndefined();
		await create("two");
		expect(await tick()).toEqual([]);
		team.living("ann").refusal = undefined;
		await clock.advance(10_000);
		expect(await tick()).toEqual(["t2 claimed by ann"]);
		await store.close();
	});

	test("lets the members take turns", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		team.spawn("ann", "bob");
		const seen: string[] = [];
		for (const title of ["one", "two", "three"]) {
			await create(title);
			seen.push(...(await tick()));
			const name = seen.at(-1)?.split(" ").at(-1) ?? "";
			team.workAndRest(name);
			await board.complete(`t${seen.length}`, team.proof(name));
			await tick();
		}
		expect(seen).toEqual(["t1 claimed by ann", "t2 claimed by bob", "t3 claimed by ann"]);
		await store.close();
	});
});

describe("what became of a task", () => {
	test("is completed when the board says so under the claim that was given out", async () => {
		const { board, team, tracker, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		await tick();
		team.begin("ann");
		expect(await tick()).toEqual([]);
		await board.complete("t1", team.proof("ann"), "done");
		expect(await tick(false)).toEqual(["t1 completed by ann"]);
		expect(tracker.snapshot()).toEqual([]);
		expect(await tick()).toEqual([]);
		await store.close();
	});

	test("is not completed because the member is idle: it is reminded once, then the task is given back", async () => {
		const { board, team, tracker, create, tick, statusOf, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		await tick();
		team.workAndRest("ann");
		expect(await tick(false)).toEqual([]);
		expect(await tick(false)).toEqual([]);
		expect(team.assigned).toEqual(["ann: task-t1-v1", "ann: task-t1-v1-reminder"]);
		expect(team.bodies[1]?.split("\n\n")[0]).toBe("Autonomous task t1 is still open, and still yours: one");
		team.begin("ann");
		expect(await tick(false)).toEqual([]);
		expect(statusOf("t1")).toBe("IN_PROGRESS");
		team.rest("ann");
		expect(await tick(false)).toEqual(["t1 given back by ann"]);
		expect(board.get("t1")).toMatchObject({ status: "PENDING", attempt: 1 });
		expect(tracker.snapshot()).toEqual([]);
		await store.close();
	});

	test("is completed when the reminder helped", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		await tick();
		team.workAndRest("ann");
		await tick();
		team.begin("ann");
		await board.complete("t1", team.proof("ann"));
		team.rest("ann");
		expect(await tick()).toEqual(["t1 completed by ann"]);
		await store.close();
	});

	test("is given back at once when the reminder is refused", async () => {
		const { team, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		await tick();
		team.workAndRest("ann");
		team.living("ann").refusal = new Error("mailbox full");
		expect(await tick()).toEqual(["t1 given back by ann", "Error: mailbox full"]);
		await store.close();
	});

	test("is offered to each member once, until its text changes or all is offered anew", async () => {
		const { board, team, claimer, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann", "bob");
		expect(await tick()).toEqual(["t1 claimed by ann"]);
		team.workAndRest("ann");
		await board.giveBack("t1", team.proof("ann"));
		expect(await tick()).toEqual(["t1 given back by ann", "t1 claimed by bob"]);
		team.workAndRest("bob");
		await board.giveBack("t1", team.proof("bob", 2));
		expect(await tick()).toEqual(["t1 given back by bob"]);
		expect(await tick()).toEqual([]);
		await board.update("t1", { description: "as it was meant" });
		expect(await tick()).toEqual(["t1 claimed by ann"]);
		team.workAndRest("ann");
		await board.giveBack("t1", team.proof("ann", 3));
		expect(await tick()).toEqual(["t1 given back by ann", "t1 claimed by bob"]);
		team.workAndRest("bob");
		await board.giveBack("t1", team.proof("bob", 4));
		await tick();
		claimer.offerAnew();
		expect(await tick()).toEqual(["t1 claimed by ann"]);
		await store.close();
	});

	test("is given back when its owner dies in the middle, and goes to the next, not to the dead", async () => {
		const { board, team, tracker, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann", "bob");
		await tick();
		team.begin("ann");
		team.end("ann");
		expect(await tick()).toEqual([]);
		await board.releaseOwner("run_ann_1");
		expect(await tick()).toEqual(["t1 given back by ann", "t1 claimed by bob"]);
		expect(board.get("t1")).toMatchObject({ attempt: 2, claimVersion: 2, owner: { name: "bob" } });
		expect(tracker.teammateFor("t1")).toBe("bob");
		await store.close();
	});

	test("goes to the next life of the same name", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one");
		team.spawn("ann");
		await tick();
		team.end("ann");
		team.spawn("ann");
		expect(await tick()).toEqual([]);
		await board.releaseOwner("run_ann_1");
		expect(await tick()).toEqual(["t1 given back by ann", "t1 claimed by ann"]);
		expect(board.get("t1")?.owner?.id).toBe("run_ann_2");
		await store.close();
	});

	test("is nobody's business here when a person completed or removed it, or another process has it", async () => {
		const { board, team, tracker, create, tick, store } = await setUpClaimer();
		await create("one", "two", "three");
		team.spawn("ann", "bob", "carol");
		await tick();
		await board.completeByHand("t1");
		await board.remove("t2");
		await board.giveBack("t3", team.proof("carol"));
		await board.claim("t3", { id: "run_other", name: "other", sessionId: "session_2" });
		expect(await tick()).toEqual([]);
		expect(tracker.snapshot()).toEqual([]);
		await store.close();
	});

	test("is looked at although another check fails", async () => {
		const { board, team, create, tick, store } = await setUpClaimer();
		await create("one", "two");
		team.spawn("ann", "bob");
		await tick();
		await board.complete("t2", team.proof("bob"));
		const progressOf = team.progressOf.bind(team);
		team.progressOf = (ownerId, messageId) => {
			if (ownerId === "run_ann_1") throw new Error("no such row");
			return progressOf(ownerId, messageId);
		};
		expect(await tick()).toEqual(["t2 completed by bob", "Error: no such row"]);
		await store.close();
	});
});
