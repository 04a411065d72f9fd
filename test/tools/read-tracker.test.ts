import { expect, it } from "vitest";
import { createReadTracker } from "../../src/tools/read-tracker.ts";

it("tells unread, current and changed files apart", () => {
	const reads = createReadTracker();
	expect(reads.check("/a", { mtimeMs: 1, size: 2 })).toBe("unread");
	reads.note("/a", { mtimeMs: 1, size: 2 });
	expect(reads.check("/a", { mtimeMs: 1, size: 2 })).toBe("current");
	expect(reads.check("/a", { mtimeMs: 2, size: 2 })).toBe("changed");
	expect(reads.check("/a", { mtimeMs: 1, size: 3 })).toBe("changed");
	expect(reads.check("/b", { mtimeMs: 1, size: 2 })).toBe("unread");
});

it("takes the last note of a file", () => {
	const reads = createReadTracker();
	reads.note("/a", { mtimeMs: 1, size: 2 });
	reads.note("/a", { mtimeMs: 5, size: 2 });
	expect(reads.check("/a", { mtimeMs: 5, size: 2 })).toBe("current");
});

it("forgets the file noted longest ago above its bound", () => {
	const reads = createReadTracker();
	for (let file = 0; file < 10_000; file += 1) reads.note(`/${file}`, { mtimeMs: 1, size: 1 });
	reads.note("/0", { mtimeMs: 1, size: 1 });
	reads.note("/one-more", { mtimeMs: 1, size: 1 });
	expect(reads.check("/0", { mtimeMs: 1, size: 1 })).toBe("current");
	expect(reads.check("/1", { mtimeMs: 1, size: 1 })).toBe("unread");
});
