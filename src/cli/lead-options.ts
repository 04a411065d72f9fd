// From flags to the lead.

import type { LeadOptions } from "../runtime/options/spawn-options.ts";
import { UsageError } from "./failure.ts";
import type { Flags } from "./flags.ts";

/** @throws UsageError for a schema that is no JSON object */
export function toLeadOptions(flags: Flags): LeadOptions {
	return {
		...(flags.agent === undefined ? {} : { agentType: flags.agent }),
		// What the command line says wins over what the agent's file says.
		...(flags.agent === undefined || flags.model === undefined ? {} : { model: flags.model }),
		...(flags.maxTurns === undefined ? {} : { limits: { turns: flags.maxTurns } }),
		...(flags.systemPrompt === undefined ? {} : { systemPrompt: flags.systemPrompt }),
		...(flags.jsonSchema === undefined ? {} : { outputSchema: parseSchema(flags.jsonSchema) }),
	};
}

function parseSchema(text: string): object {
	try {
		const schema: unknown = JSON.parse(text);
		if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema;
	} catch {
		// Told below, with what is not an object.
	}
	throw new UsageError('--json-schema must be a JSON object, e.g. \'{"type":"object"}\'');
}
