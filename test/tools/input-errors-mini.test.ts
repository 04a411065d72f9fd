// In a file of its own: full zod, once loaded, gives zod/mini its messages too.

import { expect, it } from "vitest";
import * as mini from "zod/mini";
import { formatInputErrors } from "../../src/tools/input-errors.ts";

const small = mini.object({ path: mini.string(), mode: mini.optional(mini.enum(["a", "b"])) });

it.each([
	[{}, "Error: path is required"],
	[{ path: 1 }, "Error: path must be a string"],
	[{ path: "a", mode: "c" }, "Error: mode is not valid"],
	[7, "Error: the input must be an object"],
])("reads zod/mini's issues for %j with the input at hand", (input, text) => {
	expect(formatInputErrors(small.safeParse(input).error?.issues ?? [], input)).toBe(text);
});
