import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TodoItem } from "../../src/todo/todo-item.ts";
import { TodoStore } from "../../src/todo/todo-store.ts";

const ITEMS: readonly TodoItem[] = [
	{ content: "Read", status: "completed" },
	{ content: "Log", status: "in_progress", activeForm: "Logging" },
	{ content: "Fix", status: "pending" },
];

describe("TodoStore", () => {
	it("replaceAll stores given items", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		expect(store.getAll()).toEqual(ITEMS);
	});

	it("replaceAll with empty list clears existing items", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		store.replaceAll([]);
		expect(store.getAll()).toEqual([]);
	});

	it("replaceAll is idempotent when called twice with same input", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		store.replaceAll(ITEMS);
		expect(store.getAll()).toEqual(ITEMS);
		expect(store.size()).toBe(3);
	});

	it("replaceAll overwrites previous items completely", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		store.replaceAll([{ content: "Other", status: "pending" }]);
		expect(store.getAll()).toEqual([{ content: "Other", status: "pending" }]);
	});

	it("getAll returns empty list by default", () => {
		expect(new TodoStore().getAll()).toEqual([]);
	});

	it("getAll returns a snapshot copy that external mutation cannot affect", () => {
		const store = new TodoStore();
		const given: TodoItem[] = [{ content: "Original", status: "pending" }];
		store.replaceAll(given);
		given.push({ content: "Hijacked", status: "completed" });
		Object.assign(given[0] as object, { content: "Hijacked" });
		const snapshot = store.getAll() as TodoItem[];
		expect(() => snapshot.push({ content: "Hijacked", status: "completed" })).toThrow(TypeError);
		expect(() => Object.assign(snapshot[0] as object, { content: "Hijacked" })).toThrow(TypeError);
		expect(store.size()).toBe(1);
		expect(store.getAll()).toEqual([{ content: "Original", status: "pending" }]);
	});

	it("clear empties all items", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		store.clear();
		expect(store.size()).toBe(0);
	});

	it("clear on empty store is no-op", () => {
		const store = new TodoStore();
		store.clear();
		expect(store.getAll()).toEqual([]);
	});

	it("inProgressCount returns count of IN_PROGRESS items", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		expect(store.inProgressCount()).toBe(1);
	});

	it("completedCount returns count of COMPLETED items", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		expect(store.completedCount()).toBe(1);
	});

	it("size returns total count", () => {
		const store = new TodoStore();
		store.replaceAll(ITEMS);
		expect(store.size()).toBe(3);
	});

	it("replaceAll is thread-safe under concurrent writes", async () => {
		const store = new TodoStore();
		const writers = Array.from({ length: 50 }, async (_, writer) => {
			await new Promise((resolve) => setImmediate(resolve));
			const size = (writer % 5) + 1;
			store.replaceAll(
				Array.from({ length: size }, () => ({ content: `item-${writer}`, status: "completed" }) as const),
			);
			const seen = store.getAll();
			await new Promise((resolve) => setImmediate(resolve));
			// No reader ever holds a mix of two writes, nor one that changes under its hands.
			expect(new Set(seen.map(({ content }) => content)).size).toBe(1);
			expect(seen).toHaveLength(size);
		});
		await Promise.all(writers);
		expect(store.getAll().every(({ content }) => content === "item-49")).toBe(true);
	});

	it("keeps a snapshot as it was while the list moves on", () => {
		const item = fc.record({ content: fc.string(), status: fc.constantFrom("pending", "in_progress", "completed") });
		fc.assert(
			fc.property(fc.array(item), fc.array(item), (first, second) => {
				const store = new TodoStore();
				store.replaceAll(first as TodoItem[]);
				const snapshot = store.getAll();
				store.replaceAll(second as TodoItem[]);
				expect(snapshot).toEqual(first);
				expect(store.getAll()).toEqual(second);
			}),
		);
	});
});
