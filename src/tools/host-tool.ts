// A tool of the embedding program as an agent sees it. A closure cannot cross to the agent's thread, so the call goes
// to main and runs there; its schema is checked there too.

import type { InputSchema, Tool } from "./definition.ts";

const ANYTHING: InputSchema<unknown> = {
	safeParse: (value) => ({ success: true, data: value }),
};

/** A stand-in that runs the host's tool of that name on the main thread. */
export function createHostTool(tool: { readonly name: string; readonly readOnly: boolean }): Tool {
	return {
		name: tool.name,
		description: "Runs in the host program",
		inputSchema: ANYTHING,
		readOnly: tool.readOnly,
		execute: (input, context) =>
			context.ask("call-host-tool", { toolName: tool.name, toolUseId: context.toolUseId, input }, context.signal),
	};
}
