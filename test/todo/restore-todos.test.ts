import { describe, expect, it } from "vitest";
import { restoreTodos } from "../../src/todo/restore-todos.ts";

const item = (content: string) => ({ content, status: "pending" as const });
const write = (id: string, content: string) =>
	JSON.stringify({
		role: "assistant",
		content: [{ type: "tool_use", id, name: "todo_write", input: { todos: [item(content)] } }],
	});
const result = (id: string, isError = false) =>
	JSON.stringify({
		role: "user",
		content: [{ type: "tool_result", tool_use_id: id, content: "…", ...(isError ? { is_error: true } : {}) }],
	});
const said = JSON.stringify({ role: "assistant", content: [{ type: "text", text: "I used todo_write." }] });

describe("restoreTodos", () => {
	it("takes the last list that was written", () => {
		const history = [write("a", "first"), result("a"), write("b", "second"), result("b"), said];
		expect(restoreTodos(history)).toEqual([item("second")]);
	});

	it("passes over a call that failed, and one that was cut off before it had a result", () => {
		const history = [write("a", "first"), result("a"), write("b", "second"), result("b", true), write("c", "third")];
		expect(restoreTodos(history)).toEqual([item("first")]);
	});

	it("finds none where none was written", () => {
		expect(restoreTodos(["not JSON", said, result("x")])).toBeUndefined();
	});
});
