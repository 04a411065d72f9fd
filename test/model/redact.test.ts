import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactErrorData } from "../../src/model/redact.ts";

const KEY = "sk-ant-api03-AbCdEfGhIjKlMnOp-987654";

describe("createRedactor", () => {
	const redact = createRedactor([KEY, "a-plain-token", undefined, ""]);

	it.each([
		[`key ${KEY} is bad`, "key [redacted] is bad"],
		["it begins with sk-ant-api03-AbC", "it begins with [redacted]"],
		["it ends with MnOp-987654.", "it ends with [redacted]."],
		["token a-plain-token, twice a-plain-token", "token [redacted], twice [redacted]"],
		["a-plain-tokena-plain-token", "[redacted]"],
		["someone else's sk-ant-oat01-zzz", "someone else's [redacted]"],
		["Authorization: Bearer abc.def", "Authorization: [redacted]"],
		["nothing to hide here", "nothing to hide here"],
	])("turns %j into %j", (text, expected) => {
		expect(redact(text)).toBe(expected);
	});

	it("hides a secret shorter than the window as a whole, and none of less than four characters", () => {
		const short = createRedactor(["hunter2", "abc"]);
		expect(short("hunter2 and abc")).toBe("[redacted] and abc");
	});

	it("leaves no run of eight characters of a secret in any text", () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 8, maxLength: 40 }),
				fc.array(fc.oneof(fc.string(), fc.tuple(fc.nat(40), fc.nat(40)))),
				(secret, parts) => {
					const text = parts.map((part) => (typeof part === "string" ? part : secret.slice(part[0], part[1]))).join("");
					const shown = createRedactor([secret])(text).split("[redacted]");
					for (let start = 0; start + 8 <= secret.length; start++) {
						const piece = secret.slice(start, start + 8);
						expect(shown.some((rest) => rest.includes(piece))).toBe(false);
					}
				},
			),
		);
	});
});

describe("redactErrorData", () => {
	it("goes through message, stack and every detail", () => {
		const data = {
			name: "ClowderError",
			message: `bad ${KEY}`,
			code: "ERR_MODEL_AUTH",
			stack: `Error: bad ${KEY}\n    at x`,
			details: { status: 401, seen: [{ header: `Bearer ${KEY}` }], none: null },
		};
		expect(redactErrorData(data, createRedactor([KEY]))).toEqual({
			name: "ClowderError",
			message: "bad [redacted]",
			code: "ERR_MODEL_AUTH",
			stack: "Error: bad [redacted]\n    at x",
			details: { status: 401, seen: [{ header: "Bearer [redacted]" }], none: null },
		});
	});
});
