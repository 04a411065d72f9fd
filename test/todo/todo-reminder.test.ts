import { beforeEach, describe, expect, it } from "vitest";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { TodoReminder } from "../../src/todo/todo-reminder.ts";
import { TodoStore } from "../../src/todo/todo-store.ts";

const REMINDER = [
	"Reminder: the todo list has open items and was not updated for 3 turns.\n" +
		"If it no longer says what is done and what is next, update it with todo_write. The list now:\n" +
		"  1. [x] Read\n  2. [ ] Fix",
];

let store: TodoStore;
let reminder: TodoReminder;
beforeEach(() => {
	store = new TodoStore();
	reminder = new TodoReminder(store);
});

const open = () =>
	store.replaceAll([
		{ content: "Read", status: "completed" },
		{ content: "Fix", status: "pending" },
	]);
const turns = (count: number) => {
	for (let turn = 0; turn < count; turn += 1) reminder.noteTurn();
};

describe("TodoReminder", () => {
	it("reminds after three turns with open items", () => {
		open();
		turns(2);
		expect(reminder.take()).toEqual([]);
		turns(1);
		expect(reminder.take()).toEqual(REMINDER);
	});

	it("reminds once, and again after three more turns", () => {
		open();
		turns(3);
		expect(reminder.take()).toEqual(REMINDER);
		expect(reminder.take()).toEqual([]);
		turns(2);
		expect(reminder.take()).toEqual([]);
		turns(1);
		expect(reminder.take()).toEqual(REMINDER);
	});

	it("starts to count anew after todo_write", () => {
		open();
		turns(2);
		reminder.noteTodoWrite();
		turns(2);
		expect(reminder.take()).toEqual([]);
	});

	it("says nothing while the list is empty or all is done", () => {
		turns(5);
		expect(reminder.take()).toEqual([]);
		store.replaceAll([{ content: "Read", status: "completed" }]);
		turns(5);
		expect(reminder.take()).toEqual([]);
	});

	it("does not count turns from before there were open items", () => {
		turns(5);
		open();
		turns(2);
		expect(reminder.take()).toEqual([]);
	});

	it("says nothing when the last item was finished or the list cleared in between", () => {
		open();
		turns(3);
		store.clear();
		expect(reminder.take()).toEqual([]);
	});

	it("takes note of a successful todo_write by itself once it is registered", async () => {
		const hooks = new HookManager((thrown) => {
			throw thrown;
		});
		reminder.registerTo(hooks);
		const fire = (toolName: string, isError: boolean) =>
			hooks.fire("PostToolUse", {
				toolUseId: "toolu_1",
				toolName,
				input: {},
				result: { content: "", isError, durationMs: 1 },
			});
		open();
		turns(3);
		await fire("bash", false);
		await fire("todo_write", true);
		expect(reminder.take()).toEqual(REMINDER);
		turns(3);
		await fire("todo_write", false);
		expect(reminder.take()).toEqual([]);
	});
});
