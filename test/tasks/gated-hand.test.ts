import { expect, test } from "vitest";
import { createGatedHand } from "../../src/tasks/gated-hand.ts";
import { runTaskCommand } from "../../src/tasks/task-command.ts";
import { setUpBoard } from "./setup.ts";

test("keeps a person's hand behind the same gate as the agents'", async () => {
	const { board, store } = await setUpBoard();
	const callers: unknown[] = [];
	const hand = createGatedHand(board, {
		mayCreate: async ({ title }, caller) => {
			callers.push(caller);
			return title === "bad" ? "no ticket number" : undefined;
		},
		mayComplete: async ({ id }) => (id === "t3" ? "the tests fail" : undefined),
	});
	expect(await runTaskCommand(hand, "add bad")).toEqual(["Error: the task was not created: no ticket number"]);
	expect(await runTaskCommand(hand, "add good")).toEqual(["Task created: t2"]);
	expect(await runTaskCommand(hand, "add t3 other")).toEqual(["Task created: t3"]);
	expect(await runTaskCommand(hand, "done t3")).toEqual(["Error: task t3 cannot be completed yet: the tests fail"]);
	expect(board.get("t3")?.status).toBe("PENDING");
	await runTaskCommand(hand, "done t2");
	expect(board.get("t2")?.status).toBe("COMPLETED");
	expect(await runTaskCommand(hand, "done t9")).toEqual([expect.stringMatching(/^Error: .*t9/)]);
	expect(callers).toEqual([undefined, undefined, undefined]);
	await store.close();
});
