// A script as code: a module that decides each reply itself. Loaded inside the gateway.

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { ClowderError, messageOf } from "../errors.ts";
import type { Message, ToolSpec } from "../wire/conversation.ts";
import type { ModelCaller, ModelRequest } from "../wire/model-call.ts";
import type { Script, ScriptedReply } from "../wire/model-config.ts";
import { pickReply } from "./script-state.ts";

/** One attempt, as a script module sees it. */
export interface ScriptCall {
	readonly caller: ModelCaller;
	/** Attempts of this run so far, this one included. */
	readonly attempt: number;
	readonly model: string;
	readonly system: string;
	/** Parsed at first use. */
	readonly messages: readonly Message[];
	/** Parsed at first use. */
	readonly tools: readonly ToolSpec[];
	/** Whether the reply may not use tools. */
	readonly toolFree: boolean;
	readonly signal: AbortSignal;
}

/** The default export of a script module. A thrown error fails the attempt with its message. */
export type ScriptModule = (call: ScriptCall) => ScriptedReply | Promise<ScriptedReply>;

/** Builds what a script module is called with. */
export function toScriptCall(request: ModelRequest, attempt: number, signal: AbortSignal): ScriptCall {
	let messages: readonly Message[] | undefined;
	let tools: readonly ToolSpec[] | undefined;
	return {
		caller: request.caller,
		attempt,
		model: request.model,
		system: request.system,
		get messages() {
			messages ??= request.messagesJson.map((json) => JSON.parse(json) as Message);
			return messages;
		},
		get tools() {
			tools ??= JSON.parse(request.toolsJson) as ToolSpec[];
			return tools;
		},
		toolFree: request.toolFree ?? false,
		signal,
	};
}

/**
 * Loads a script module: a function, or a Script as data.
 *
 * @throws ClowderError ERR_MODEL_CONFIG when it cannot be loaded or exports neither.
 */
export async function loadScriptModule(specifier: string): Promise<ScriptModule> {
	const url = isAbsolute(specifier) ? pathToFileURL(specifier).href : specifier;
	let exported: unknown;
	try {
		exported = ((await import(url)) as { default?: unknown }).default;
	} catch (cause) {
		throw new ClowderError("ERR_MODEL_CONFIG", `The script module ${specifier} cannot be loaded: ${messageOf(cause)}`, {
			remedy: "Give an absolute path or a file URL of a JavaScript module",
			cause,
		});
	}
	if (typeof exported === "function") return exported as ScriptModule;
	if (isScript(exported)) return ({ caller, attempt }) => pickReply(exported, caller, attempt);
	throw new ClowderError("ERR_MODEL_CONFIG", `The script module ${specifier} has no script as its default export`, {
		remedy: "Export a function of one call, or an object with `agents`, as default",
	});
}

function isScript(value: unknown): value is Script {
	return typeof value === "object" && value !== null && "agents" in value && typeof value.agents === "object";
}
