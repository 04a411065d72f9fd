// Short ways to write a script for the model.

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { ClowderError } from "../errors.ts";
import { isRecord } from "../lib/is-record.ts";
import { readGiven } from "../lib/read-given.ts";
import { shown } from "../lib/shown.ts";
import type { Script, ScriptedConfig, ScriptedReply } from "../wire/model-config.ts";

/** Replies by agent: a run id, a name, an agent type, or `*` for all others. */
export type ScriptedAgents = Script["agents"];

/** A script as code: an absolute path or a file URL of a module whose default export is a `ScriptModule`. */
export interface ScriptedModule {
	readonly module: string | URL;
}

/**
 * The `model` option for a run without a network: plays the given replies in order, one per attempt.
 *
 * @throws ERR_BAD_INPUT for anything but an object; what is in it is looked at by `createSupervisor`
 *
 * @example
 * scriptedModel({
 *   lead: [callTools({ name: "task", input: { description: "look", prompt: "…" } }), say("All done.")],
 *   "*": [say("Found 3 files.")],
 * });
 */
export function scriptedModel(source: ScriptedAgents | Script | ScriptedModule): ScriptedConfig {
	// By hand, since the schemas' package would be loaded with the entry `clowder`.
	if (!isRecord(source)) {
		const message = `scriptedModel: what it is given must be an object, not ${shown(source)}`;
		throw new ClowderError("ERR_BAD_INPUT", message, { details: { where: "scriptedModel", field: "" } });
	}
	return readGiven("scriptedModel", () => toConfig(source));
}

function toConfig(source: ScriptedAgents | Script | ScriptedModule): ScriptedConfig {
	if (isModule(source)) return { provider: "scripted", module: urlOf(source.module) };
	return { provider: "scripted", script: isScript(source) ? source : { agents: source } };
}

/** A reply that is text. */
export function say(text: string, more: Omit<ScriptedReply, "text"> = {}): ScriptedReply {
	return { text, ...more };
}

/** A reply that calls tools, all in one message. */
export function callTools(...toolUses: NonNullable<ScriptedReply["toolUses"]>): ScriptedReply {
	return { toolUses };
}

/** A reply that calls one tool. */
export function callTool(name: string, input: unknown, more: Omit<ScriptedReply, "toolUses"> = {}): ScriptedReply {
	return { toolUses: [{ name, input }], ...more };
}

/** A call that fails as the provider would. */
export function failWith(
	status: number,
	more: Omit<NonNullable<ScriptedReply["error"]>, "status"> = {},
): ScriptedReply {
	return { error: { status, ...more } };
}

// An agent may be named "module" or "agents": its value is a list of replies.
function isModule(source: ScriptedAgents | Script | ScriptedModule): source is ScriptedModule {
	return "module" in source && (typeof source.module === "string" || source.module instanceof URL);
}

function isScript(source: ScriptedAgents | Script): source is Script {
	return "agents" in source && !Array.isArray(source.agents);
}

function urlOf(module: string | URL): string {
	if (module instanceof URL) return module.href;
	return isAbsolute(module) ? pathToFileURL(module).href : module;
}
