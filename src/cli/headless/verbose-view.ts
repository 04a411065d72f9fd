// `--verbose` with -p: what the lead does, a line each, on stderr while the answer is still to come.

import type { Lead } from "../../runtime/agents/lead.ts";
import type { AgentEvent } from "../../wire/control.ts";
import { oneLine } from "../terminal/plain-text.ts";

const MAX_CHARS = 300;

export interface VerboseOptions {
	/** Its log as well (`--debug`). */
	readonly log: boolean;
	print(line: string): void;
}

/** Shows a lead's turns and tool calls until the returned function is called. */
export function showVerbose(lead: Pick<Lead, "on">, { log, print }: VerboseOptions): () => void {
	let text = "";

	// The text of the last turn is the answer, and not told twice.
	function flush(): void {
		if (text.trim() !== "") print(`  ${oneLine(text, MAX_CHARS)}`);
		text = "";
	}

	function show(event: AgentEvent): void {
		switch (event.type) {
			case "turn-started":
				flush();
				return print(`turn ${event.turn}`);
			case "text-delta":
				text += event.text;
				return;
			case "text-reset":
				text = "";
				return print(`  (${oneLine(event.detail, MAX_CHARS)}; trying again)`);
			case "tool-started":
				flush();
				return print(`  ${event.name}: ${oneLine(event.summary, MAX_CHARS)}`);
			case "tool-finished": {
				const how = event.isError ? "failed" : "done";
				return print(
					`  ${event.name} ${how} (${Math.round(event.durationMs)} ms): ${oneLine(event.preview, MAX_CHARS)}`,
				);
			}
			case "notice":
				return print(`  ${oneLine(event.text, MAX_CHARS)}`);
			case "log":
				if (log || event.level === "error") print(`  ${event.level}: ${oneLine(event.text, MAX_CHARS)}`);
		}
	}

	return lead.on((event) => {
		if (event.type === "agent-event") show(event.event);
		if (event.type === "prompt-started" || event.type === "prompt-finished") text = "";
	});
}
