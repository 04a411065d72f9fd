import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EndMarker } from "../../../src/tools/process/end-marker.ts";

/** Feeds the bytes in pieces of these sizes; answers with what came out. */
function feed(marker: EndMarker, text: string, sizes: readonly number[]): string {
	const bytes = Buffer.from(text);
	const pieces: Uint8Array[] = [];
	for (let at = 0, index = 0; at < bytes.length; index += 1) {
		const size = sizes[index % sizes.length] ?? 1;
		pieces.push(marker.push(bytes.subarray(at, at + size)));
		at += size;
	}
	pieces.push(marker.flush());
	return Buffer.concat(pieces).toString();
}

const text = fc.string({ unit: fc.constantFrom("a", "\n", "🐱", "\u0001", "end-"), maxLength: 60 });
const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 });

describe("EndMarker", () => {
	it("separates the output from the exit code and from what comes later, however the pieces fall", () => {
		fc.assert(
			fc.property(text, text, sizes, fc.integer({ min: 0, max: 255 }), (before, later, pieces, code) => {
				const marker = new EndMarker();
				expect(feed(marker, `${before}${marker.text}${code}\n${later}`, pieces)).toBe(before);
				expect(marker.code).toBe(code);
			}),
		);
	});

	it("gives all output of a stream that ends without the marker", () => {
		fc.assert(
			fc.property(text, sizes, (before, pieces) => {
				const marker = new EndMarker();
				expect(feed(marker, before, pieces)).toBe(before);
				expect(marker.code).toBe(undefined);
			}),
		);
	});

	it("keeps a marker that was begun and not finished", () => {
		const marker = new EndMarker();
		const begun = `out${marker.text.slice(0, 10)}`;
		expect(feed(marker, begun, [5])).toBe(begun);
	});

	it("is another one for every command", () => {
		expect(new EndMarker().text).not.toBe(new EndMarker().text);
	});
});
