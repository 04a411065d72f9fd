import { describe, expect, it } from "vitest";
import { BoardRow } from "../../src/supervision/board-row.ts";
import { StatusBoard } from "../../src/supervision/status-board.ts";

describe("StatusBoard", () => {
	it("moves a run from PENDING over RUNNING to COMPLETED with its reason in one word", () => {
		const board = new StatusBoard({ rows: 2 });
		const key = board.allocate();
		if (!key) throw new Error("no row");
		expect(board.state(key)).toEqual({ epoch: 1, status: "PENDING", reason: undefined });
		expect(board.transition(key, "PENDING", "RUNNING")).toBe(true);
		expect(board.transition(key, "RUNNING", "COMPLETED", "done")).toBe(true);
		expect(board.state(key)).toEqual({ epoch: 1, status: "COMPLETED", reason: "done" });
	});

	it("refuses a second terminal transition", () => {
		const board = new StatusBoard({ rows: 1 });
		const key = board.allocate();
		if (!key) throw new Error("no row");
		board.transition(key, "PENDING", "RUNNING");
		expect(board.transition(key, "RUNNING", "FAILED", "timeout")).toBe(true);
		expect(board.transition(key, "RUNNING", "COMPLETED", "done")).toBe(false);
		expect(board.state(key)?.reason).toBe("timeout");
	});

	it("gives a row to the next run with a higher epoch, so an old key matches nothing", () => {
		const board = new StatusBoard({ rows: 1 });
		const first = board.allocate();
		if (!first) throw new Error("no row");
		board.transition(first, "PENDING", "FAILED", "cancelled");
		expect(board.allocate()).toBeUndefined();
		board.free(first);
		const second = board.allocate();
		if (!second) throw new Error("no row");
		expect(second).toEqual({ row: 0, epoch: 2 });
		expect(board.state(first)).toBeUndefined();
		expect(board.transition(first, "PENDING", "RUNNING")).toBe(false);
		expect(board.read(first)).toBeUndefined();
	});

	it("shows another holder of the memory what the agent's row says", () => {
		const board = new StatusBoard({ rows: 3 });
		board.allocate();
		const key = board.allocate();
		if (!key) throw new Error("no row");
		const row = new BoardRow(board.rowBuffer(key.row));
		row.started(7);
		row.phase("tool");
		row.turn();
		row.toolCall();
		row.toolCall();
		row.reply({
			usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 5, cacheWriteTokens: 3 },
			costUsd: 0.0125,
			durationMs: 250,
		});
		row.heartbeat({ heapBytes: 4096 * 1024, externalBytes: 512 * 1024 });
		const reading = new StatusBoard({ shared: board.shared }).read(key);
		expect(reading).toEqual({
			status: "PENDING",
			reason: undefined,
			phase: "tool",
			heartbeat: 2,
			activity: 3,
			heapKb: 4096,
			externalKb: 512,
			threadId: 7,
			contextTokens: 128,
			usage: {
				inputTokens: 100,
				outputTokens: 20,
				cacheReadTokens: 5,
				cacheWriteTokens: 3,
				turns: 1,
				toolCalls: 2,
				costUsd: 0.0125,
				modelMs: 250,
			},
		});
	});

	it("clears the meters of a row for its next run", () => {
		const board = new StatusBoard({ rows: 1 });
		const first = board.allocate();
		if (!first) throw new Error("no row");
		new BoardRow(board.rowBuffer(0)).toolCall();
		board.free(first);
		const second = board.allocate();
		if (!second) throw new Error("no row");
		expect(board.read(second)?.usage.toolCalls).toBe(0);
	});
});
