import { expect, test } from "vitest";
import { nearestName } from "../../src/lib/nearest-name.ts";

test("finds the name that was probably meant, and none for another word", () => {
	const known = ["maxConcurrent", "maxQueued", "cwd", "model"];
	expect(nearestName("maxConcurent", known)).toBe("maxConcurrent");
	expect(nearestName("MAXQUEUED", known)).toBe("maxQueued");
	expect(nearestName("mdoel", known)).toBe("model");
	expect(nearestName("cw", known)).toBe("cwd");
	expect(nearestName("parallelism", known)).toBeUndefined();
	expect(nearestName("", known)).toBeUndefined();
	expect(nearestName("x", [])).toBeUndefined();
});
