import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LineWindowOptions, readLineWindow } from "../../../src/tools/files/line-window.ts";

const WIDE: LineWindowOptions = {
	firstLine: 1,
	maxLines: 1000,
	maxBytes: 100_000,
	maxCountedBytes: 100_000,
	sizeBytes: 0,
};

/** Gives the text out in pieces of these sizes, over and over. */
function source(text: string, sizes: readonly number[] = [1 << 20]) {
	const bytes = Buffer.from(text);
	let at = 0;
	let reads = 0;
	return {
		reads: () => reads,
		read: async (buffer: Uint8Array) => {
			const wanted = sizes[reads % sizes.length] ?? 1;
			reads += 1;
			const piece = bytes.subarray(at, at + Math.min(wanted, buffer.length));
			at += piece.length;
			buffer.set(piece);
			return piece.length;
		},
	};
}

describe("readLineWindow", () => {
	it("gives the same lines as a split of the whole text, however the reads fall", async () => {
		const line = fc.string({ unit: fc.constantFrom("a", "é", "🐱", " "), maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { maxLength: 12 }),
				fc.boolean(),
				fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
				fc.integer({ min: 1, max: 6 }),
				fc.integer({ min: 1, max: 6 }),
				async (lines, ends, sizes, firstLine, maxLines) => {
					const text = lines.join("\n") + (ends && lines.length > 0 ? "\n" : "");
					const all = text === "" ? [] : text.replace(/\n$/, "").split("\n");
					const window = await readLineWindow(source(text, sizes).read, { ...WIDE, firstLine, maxLines });
					const wanted = all.slice(firstLine - 1, firstLine - 1 + maxLines);
					if (firstLine > 1 && firstLine > all.length) {
						expect(window).toEqual({ kind: "past-end", totalLines: all.length });
						return;
					}
					expect(window).toEqual({
						kind: "lines",
						text: wanted.join("\n"),
						shown: wanted.length,
						more: all.length - (firstLine - 1) - wanted.length,
						cut: false,
					});
				},
			),
		);
	});

	it("drops a line that does not fit whole after others that do", async () => {
		const window = await readLineWindow(source("aaaa\nbbbb\ncccc\n", [3]).read, { ...WIDE, maxBytes: 12 });
		expect(window).toEqual({ kind: "lines", text: "aaaa\nbbbb", shown: 2, more: 1, cut: false });
	});

	it("cuts the only line where even that does not fit", async () => {
		const window = await readLineWindow(source("aaaa\nbbbb\n", [3]).read, { ...WIDE, maxBytes: 2 });
		expect(window).toEqual({ kind: "lines", text: "aa", shown: 1, more: 1, cut: true });
	});

	it("does not read on to count lines when that would take too long", async () => {
		const text = "x\n".repeat(50_000);
		const input = source(text, [1000]);
		const options = { ...WIDE, maxLines: 2, maxCountedBytes: 10_000, sizeBytes: text.length };
		expect(await readLineWindow(input.read, options)).toEqual({
			kind: "lines",
			text: "x\nx",
			shown: 2,
			more: undefined,
			cut: false,
		});
		expect(input.reads()).toBe(1);
	});

	it("gives up counting in a file that says nothing of its size", async () => {
		const input = source("x\n".repeat(50_000), [1000]);
		const window = await readLineWindow(input.read, { ...WIDE, maxLines: 2, maxCountedBytes: 10_000 });
		expect(window).toMatchObject({ shown: 2, more: undefined });
		expect(input.reads()).toBe(11);
	});

	it("stops looking for its first line when it is late, and reads no more than one chunk ahead", async () => {
		const text = "x\n".repeat(5_000);
		const input = source(text, [1000]);
		const isLate = () => input.reads() > 3;
		const options = { ...WIDE, firstLine: 4_000, sizeBytes: text.length, isLate };
		expect(await readLineWindow(input.read, options)).toEqual({
			kind: "too-far",
			passedLines: 1_500,
			passedBytes: 3_000,
		});
		expect(input.reads()).toBe(4);
		const found = source(text, [1000]);
		const window = await readLineWindow(found.read, {
			...options,
			...{ firstLine: 600, maxLines: 1, maxCountedBytes: 10, isLate: () => false },
		});
		expect(window).toMatchObject({ kind: "lines", shown: 1 });
		expect(found.reads()).toBe(3);
	});
});
