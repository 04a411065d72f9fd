import { describe, expect, it } from "vitest";
import { onAbort } from "../../src/lib/on-abort.ts";

function countListeners(signal: AbortSignal): () => number {
	let count = 0;
	const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
	signal.addEventListener = (...args: unknown[]) => {
		count += 1;
		add(...args);
	};
	return () => count;
}

describe("onAbort", () => {
	it("calls everyone who waits, in the order they came, once", () => {
		const controller = new AbortController();
		const calls: string[] = [];
		onAbort(controller.signal, () => calls.push("first"));
		onAbort(controller.signal, () => calls.push("second"));
		controller.abort();
		controller.abort();
		expect(calls).toEqual(["first", "second"]);
	});

	it("leaves out who no longer waits, also when another callback of the same abort says so", () => {
		const controller = new AbortController();
		const calls: string[] = [];
		const forget = onAbort(controller.signal, () => calls.push("forgotten"));
		onAbort(controller.signal, () => {
			calls.push("ends the next");
			forgetNext();
		});
		const forgetNext = onAbort(controller.signal, () => calls.push("next"));
		forget();
		controller.abort();
		expect(calls).toEqual(["ends the next"]);
	});

	it("keeps one listener on the signal for all", () => {
		const { signal } = new AbortController();
		const listeners = countListeners(signal);
		for (let n = 0; n < 20; n += 1) onAbort(signal, () => {})();
		expect(listeners()).toBe(1);
	});
});
