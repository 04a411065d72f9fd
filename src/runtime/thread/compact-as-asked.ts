// `/compact`: a person asks for a shorter conversation, and is told in one line what came of it.

import { compactNow } from "../../agent/compaction.ts";
import type { AgentDeps } from "../../agent/types.ts";
import type { RunOutcome } from "../../wire/run.ts";

export async function compactAsAsked(deps: AgentDeps, focus: string, signal: AbortSignal): Promise<RunOutcome> {
	const result = await compactNow(deps, focus, signal);
	switch (result.kind) {
		case "compacted":
			return done(`Conversation compacted: about ${result.tokensBefore} tokens before, ${result.tokensAfter} now.`);
		case "unchanged":
			return done("There is nothing to compact yet.");
		case "blocked":
		case "failed":
			return { reason: "done", finalText: `The conversation was not compacted: ${result.error}` };
	}
}

const done = (finalText: string): RunOutcome => ({ reason: "done", finalText });
