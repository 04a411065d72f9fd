// What every run of one agent type starts from: system prompt and tool list. Made once per type and kept, so that
// all runs of a type send byte-identical blocks and the provider's prompt cache holds.

import { buildSystemPrompt } from "../../agent/system-prompt.ts";
import type { AgentDefinition } from "../../config/agent-definition.ts";
import type { InstructionSection } from "../../config/instructions.ts";
import { type ResolvedTools, resolveTools, withCompanions } from "../../config/resolve-tools.ts";
import { ClowderError } from "../../errors.ts";
import { toOwnToolName } from "../../lib/tool-aliases.ts";
import { SKILL_NAME } from "../../skills/skill-tool.ts";
import { QUERY_TASK_NAME } from "../../subagents/query-task-tool.ts";
import { describeTaskTool, TASK_NAME } from "../../subagents/task-tool.ts";
import { subagentToolSpecs } from "../../subagents/tool-specs.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { TASK_TOOL_NAMES } from "../../tasks/task-inputs.ts";
import { isTeamTool, TEAMMATE_TOOLS, teamToolsOf } from "../../teams/team-tools.ts";
import { TODO_WRITE_SPEC } from "../../todo/todo-write.ts";
import type { ToolSpec } from "../../wire/conversation.ts";
import type { ToolFacts } from "./tool-facts.ts";

export interface ProfileRequest {
	readonly definition: AgentDefinition;
	readonly role: "lead" | "subagent" | "teammate";
	/** Whether an agent at this depth may start subagents. */
	readonly mayDelegate: boolean;
	/** @default the session's working folder */
	readonly cwd?: string | undefined;
}

export interface AgentProfile {
	readonly definition: AgentDefinition;
	readonly system: string;
	readonly toolNames: readonly string[];
	readonly toolsJson: string;
	/** Whether a call of a tool can change anything, as main knows it. */
	readOnlyOf(toolName: string): boolean | "unknown";
	/** Tools it has besides, from modules of which the program says that they change nothing. */
	readonly declaredTools: readonly string[];
	/** Which agent types its `task` tool may start; undefined = all. */
	readonly startableTypes: readonly string[] | undefined;
	/** Limits its tool list brings with it, for the permission engine. */
	readonly restrictions: Pick<ResolvedTools, "restrictions" | "deny">;
}

export interface ProfileSource {
	readonly cwd: string;
	readonly appendSystemPrompt: string | undefined;
	readonly builtinSpecs: readonly ToolSpec[];
	readonly hostSpecs: readonly ToolSpec[];
	/** Tools of the feature rooms. */
	readonly roomSpecs: readonly ToolSpec[];
	/** Tools that no agent gets: a bare deny rule takes them out. */
	deniedTools(toolNames: readonly string[]): readonly string[];
	/** Of all but the host's tools only these are there; undefined = all. */
	readonly builtinTools: readonly string[] | undefined;
	readonly canAskUser: boolean;
	readonly toolFacts: ToolFacts;
	/** What the `skill` tool can load. */
	readonly skills: readonly { readonly name: string; readonly description: string }[];
	/** Texts of instruction files, weakest first. */
	readonly instructions: readonly InstructionSection[];
	agentTypes(): readonly AgentDefinition[];
}

export interface Profiles {
	/** @throws ERR_UNKNOWN_TOOL when nothing in the type's tool list can be resolved. */
	get(request: ProfileRequest): AgentProfile;
	/** @throws ERR_UNKNOWN_AGENT_TYPE */
	definition(name: string): AgentDefinition;
	names(): string[];
}

/** @throws ERR_BAD_OPTION where `builtinTools` names a tool that there is not */
export function createProfiles(source: ProfileSource): Profiles {
	checkBuiltinTools(source);
	const cache = new Map<string, AgentProfile>();

	function definition(name: string): AgentDefinition {
		const types = source.agentTypes();
		const found = types.find((type) => type.name === name);
		if (found) return found;
		throw new ClowderError("ERR_UNKNOWN_AGENT_TYPE", `There is no agent type '${name}'`, {
			remedy: `Use one of: ${types.map((type) => type.name).join(", ")}`,
		});
	}

	return {
		definition,
		names: () => source.agentTypes().map((type) => type.name),
		get: (request) => {
			// One of a folder of its own shares its bytes with nobody.
			if (request.cwd !== undefined && request.cwd !== source.cwd) return buildProfile(source, request);
			const key = `${request.role}:${request.mayDelegate}:${request.definition.name}`;
			const known = cache.get(key);
			if (known?.definition === request.definition) return known;
			const profile = buildProfile(source, request);
			cache.set(key, profile);
			return profile;
		},
	};
}

/** The profile of a run that lives or is about to start. */
export function profileOfRun(profiles: Profiles, maxDepth: number, { spec }: LiveRun): AgentProfile {
	return profiles.get({
		definition: profiles.definition(spec.agentType),
		role: spec.kind,
		mayDelegate: spec.depth < maxDepth,
	});
}

function ownSpecs(source: ProfileSource): readonly ToolSpec[] {
	const delegation = subagentToolSpecs(describeTaskTool(source.agentTypes()));
	return [...source.builtinSpecs, TODO_WRITE_SPEC, ...source.roomSpecs, ...delegation];
}

function checkBuiltinTools(source: ProfileSource): void {
	const known = ownSpecs(source).map(({ name }) => name);
	const unknown = source.builtinTools?.find((name) => !known.includes(toOwnToolName(name)));
	if (unknown === undefined) return;
	throw new ClowderError("ERR_BAD_OPTION", `There is no built-in tool '${unknown}'`, {
		remedy: `Use some of: ${known.join(", ")}`,
	});
}

function buildProfile(
	source: ProfileSource,
	{ definition, role, mayDelegate, cwd = source.cwd }: ProfileRequest,
): AgentProfile {
	const specs = new Map<string, ToolSpec>();
	for (const spec of [
		...source.builtinSpecs,
		TODO_WRITE_SPEC,
		...source.roomSpecs,
		...source.hostSpecs,
		...subagentToolSpecs(describeTaskTool(source.agentTypes())),
	]) {
		const delegates = spec.name === TASK_NAME || spec.name === QUERY_TASK_NAME;
		if (delegates && !mayDelegate) continue;
		if (spec.name === "ask_user" && !source.canAskUser) continue;
		if (isTeamTool(spec.name) && !teamToolsOf(role).includes(spec.name)) continue;
		specs.set(spec.name, spec);
	}
	if (source.builtinTools !== undefined) {
		const kept = new Set([
			...source.hostSpecs.map(({ name }) => name),
			...withCompanions(source.builtinTools.map(toOwnToolName)),
		]);
		for (const name of specs.keys()) if (!kept.has(name)) specs.delete(name);
	}
	for (const name of source.deniedTools([...specs.keys()])) specs.delete(name);
	// A teammate that could neither be spoken to nor take a task would be none.
	const always = role === "teammate" ? [...TEAMMATE_TOOLS, ...TASK_TOOL_NAMES].filter((name) => specs.has(name)) : [];
	const resolved = resolveTools(definition, [...specs.keys()], { always });
	if (resolved.kind === "refused") {
		throw new ClowderError("ERR_UNKNOWN_TOOL", resolved.message, { details: { unknown: resolved.unknown } });
	}
	const toolNames = resolved.names;
	const toolSpecs = toolNames.map((name) => specs.get(name) as ToolSpec);
	const prompt = [definition.prompt, source.appendSystemPrompt ?? ""].filter((part) => part !== "").join("\n\n");
	return {
		definition,
		system: buildSystemPrompt({
			prompt,
			role,
			cwd,
			...(definition.instructions === false ? {} : { instructions: source.instructions }),
			...(toolNames.includes(SKILL_NAME) ? { skills: source.skills } : {}),
			...(toolNames.includes(TASK_NAME) ? { agentTypes: source.agentTypes() } : {}),
		}),
		toolNames,
		readOnlyOf: (toolName) => source.toolFacts.readOnlyOf(toolNames, toolName),
		declaredTools: source.toolFacts.declared,
		toolsJson: JSON.stringify(toolSpecs),
		startableTypes: resolved.agentTypes,
		restrictions: { restrictions: resolved.restrictions, deny: resolved.deny },
	};
}
