// The agent types that are always there. Files, flags and the host may add more or replace these by name.

import type { AgentDefinition } from "../config/agent-definition.ts";

const READING_TOOLS = ["bash", "read_file", "glob", "grep"];
const builtIn = { kind: "built-in" } as const;

export const DEFAULT_AGENT_TYPE = "general";

export const BUILT_IN_AGENT_TYPES: readonly AgentDefinition[] = [
	{
		name: "explore",
		description: "Read-only: finds files, searches code and answers questions about what is there",
		prompt:
			"You explore. Search and read until you can answer, several calls at a time where they do not depend on each other. Change nothing. Answer with a short summary that names files and lines.",
		tools: READING_TOOLS,
		readOnly: true,
		instructions: false,
		source: builtIn,
	},
	{
		name: "plan",
		description: "Read-only: studies the code and answers with a numbered plan for a change",
		prompt:
			"You plan. Study what is there, then answer with a numbered plan: what changes in which file, in which order, and how each step is checked. Change nothing.",
		tools: READING_TOOLS,
		readOnly: true,
		instructions: false,
		source: builtIn,
	},
	{
		name: "code",
		description: "Makes a change: writes and edits files, runs commands, checks the result",
		prompt:
			"You write code. Make the change you are asked for with as little else as possible, run what checks it, and answer with what you changed and what you saw.",
		source: builtIn,
	},
	{
		name: DEFAULT_AGENT_TYPE,
		description: "Anything else: researches, runs commands and changes files",
		prompt: "You carry out the task you are given on your own and answer with the result.",
		source: builtIn,
	},
];
