// `/model [NAME]`: which model answers, and another one from the next prompt on.

import { isClowderError } from "../../errors.ts";
import type { Lead } from "../../runtime/agents/lead.ts";

export function runModel(name: string, lead: Pick<Lead, "model" | "useModel">): string {
	if (name === "") return `Model: ${lead.model}. /model NAME changes it (sonnet, opus, haiku, or a full id).`;
	try {
		const before = lead.model;
		const model = lead.useModel(name);
		return model === before
			? `Model: ${model}, as before.`
			: `Model: ${model}, from the next prompt on (before: ${before}).`;
	} catch (thrown) {
		if (!isClowderError(thrown)) throw thrown;
		return `Error: ${thrown.message}`;
	}
}
