import type { AgentDefinition } from "../config/agent-definition.ts";

/** Joins lists of agent types; of one name, the later list's counts. Order: as first named. */
export function mergeAgentTypes(...lists: readonly (readonly AgentDefinition[])[]): readonly AgentDefinition[] {
	const byName = new Map<string, AgentDefinition>();
	for (const definition of lists.flat()) byName.set(definition.name, definition);
	return [...byName.values()];
}
