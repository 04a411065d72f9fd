import fc from "fast-check";
import { expect, it } from "vitest";
import { countNewlines } from "../../../src/tools/files/count-newlines.ts";

it("counts as one by one does, for every alignment and neighbour", () => {
	const byte = fc.constantFrom(0, 9, 10, 11, 13, 65, 138, 255);
	fc.assert(
		fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(8), fc.nat(5), (bytes, offset, from) => {
			const whole = Buffer.from(new Uint8Array([...new Array(offset).fill(10), ...bytes]).buffer);
			const counted = bytes.slice(from).filter((value) => value === 10).length;
			expect(countNewlines(whole.subarray(offset), from)).toBe(counted);
		}),
	);
});
