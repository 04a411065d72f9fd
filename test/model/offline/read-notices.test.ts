import { describe, expect, it } from "vitest";
import { systemNote } from "../../../src/agent/added-text.ts";
import { renderEnvelope } from "../../../src/agent/render-envelope.ts";
import { readNotices, requestIn } from "../../../src/model/offline/read-notices.ts";
import { notification } from "./fake-loop.ts";

describe("notices of ended tasks", () => {
	it("tell the task, how it ended and what it said", () => {
		expect(readNotices([notification("task_1", "COMPLETED", "All well.\n\nReally.")])).toEqual([
			{ taskId: "task_1", status: "completed", result: "All well.\n\nReally." },
		]);
	});

	it("tell the reason of a failure before its text", () => {
		expect(readNotices([notification("task_1", "FAILED", "no answer for 600 s", "idle-timeout")])).toEqual([
			{ taskId: "task_1", status: "failed", result: "idle-timeout: no answer for 600 s" },
		]);
	});

	it("give back tags that a result holds", () => {
		const body = "see <result>x</result> & <task-notification> &lt;div>";
		expect(readNotices([notification("task_1", "COMPLETED", body)])[0]?.result).toBe(body);
	});

	it("are found one after another in one text, and beside other words", () => {
		const text = `Hello\n${notification("task_1", "COMPLETED", "a")}\n${notification("task_2", "FAILED", "b", "killed")}`;
		expect(readNotices([text, "nothing"]).map(({ taskId }) => taskId)).toEqual(["task_1", "task_2"]);
	});

	it("leave the status open when it is a word they do not know", () => {
		const text = "<task-notification>\n<task-id>task_1</task-id>\n<status>sleeping</status>\n</task-notification>";
		expect(readNotices([text])).toEqual([{ taskId: "task_1", status: "unknown", result: "" }]);
	});

	it("are nothing without a task id", () => {
		expect(readNotices(["<task-notification>\nsomething\n</task-notification>"])).toEqual([]);
	});
});

describe("the request in a message", () => {
	it("is what is left without notices and reminders", () => {
		expect(requestIn(`${notification("task_1", "COMPLETED", "a")}\n\nhelp\n${systemNote("do not forget")}`)).toBe(
			"help",
		);
		expect(requestIn(systemNote("do not forget"))).toBe("");
	});

	it("is the words of another agent without the frame around them", () => {
		const message = renderEnvelope({
			id: "m1",
			kind: "message",
			from: "ann",
			to: "lead",
			body: "survey src",
			sentAt: 0,
			seq: 1,
		});
		expect(requestIn(message)).toBe("survey src");
	});
});
