import { expect, test } from "vitest";
import { callGuarded } from "../../src/lib/call-guarded.ts";
import { createEmitter } from "../../src/lib/emitter.ts";

test("hands on what a callback throws", () => {
	const failures: unknown[] = [];
	callGuarded(
		() => {
			throw "at once";
		},
		(thrown) => failures.push(thrown),
	);
	expect(failures).toEqual(["at once"]);
});

test("hands on what an async listener rejects with, and the other listeners hear the event", async () => {
	const failures: unknown[] = [];
	const heard: number[] = [];
	const emitter = createEmitter<{ counted: number }>((thrown) => failures.push(thrown));
	const rejects: () => unknown = () => Promise.reject("later");
	emitter.on("counted", rejects);
	emitter.on("counted", (count) => heard.push(count));
	emitter.emit("counted", 1);
	await Promise.resolve();
	expect(failures).toEqual(["later"]);
	expect(heard).toEqual([1]);
});
