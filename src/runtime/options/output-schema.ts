// The schema of a run's result, as the agent's thread gets it: JSON Schema as text.

import * as z from "zod";
import { ClowderError, messageOf } from "../../errors.ts";
import { readGiven } from "../../lib/read-given.ts";

/** JSON Schema text of a zod schema, or of a JSON Schema object as it stands. @throws ERR_BAD_INPUT */
export function outputSchemaJson(schema: object): string {
	if (readGiven("outputSchema", () => "_def" in schema && !("_zod" in schema))) {
		throw new ClowderError("ERR_BAD_INPUT", "outputSchema cannot be used: it is a schema of zod 3", {
			remedy: "Use a schema of zod 4, or a JSON Schema object",
		});
	}
	try {
		const plain = "_zod" in schema ? z.toJSONSchema(schema as unknown as z.ZodType) : schema;
		return JSON.stringify(plain);
	} catch (thrown) {
		throw new ClowderError("ERR_BAD_INPUT", `outputSchema cannot be used: ${messageOf(thrown)}`, {
			remedy: "Use a zod schema that has a JSON Schema form, or a JSON Schema object",
		});
	}
}

/** The value of a result the agent's thread has checked; undefined for text that is no JSON. */
export function parseOutput(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
