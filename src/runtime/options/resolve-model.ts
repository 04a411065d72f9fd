// From what a person wrote as a model to what the gateway is started with.

import { ClowderError } from "../../errors.ts";
import { resolveEndpoint } from "../../model/endpoint.ts";
import type { ModelConfig } from "../../wire/model-config.ts";
import type { Environment } from "./environment.ts";

export const DEFAULT_MODEL = "claude-sonnet-5-5";

/** Short names people use, and the models they stand for now. */
const ALIASES: Readonly<Record<string, string>> = {
	sonnet: "claude-sonnet-5-5",
	opus: "claude-opus-5-5",
	haiku: "claude-haiku-5-5",
};

/** The id an alias stands for; anything else as it is. */
export function modelId(name: string): string {
	return ALIASES[name] ?? name;
}

/** @throws ERR_MODEL_CONFIG when Claude is wanted and there are no credentials. */
export function resolveModel(
	{
		model: wanted,
		fallbackModel,
	}: { readonly model: string | ModelConfig | undefined; readonly fallbackModel?: string | undefined },
	env: Environment,
): ModelConfig {
	if (typeof wanted === "object") return checked({ ...wanted }, env);
	const name = wanted ?? env.ANTHROPIC_MODEL ?? env.MODEL_NAME ?? DEFAULT_MODEL;
	if (name === "offline") return { provider: "offline" };
	const fallback = fallbackModel === undefined ? {} : { fallbackModel: modelId(fallbackModel) };
	return checked({ provider: "anthropic", model: modelId(name), ...fallback }, env);
}

function checked(config: ModelConfig, env: Environment): ModelConfig {
	if (config.provider !== "anthropic") return config;
	if (config.model === "")
		throw new ClowderError("ERR_MODEL_CONFIG", "The model has no name", { remedy: "Name a model" });
	const { baseUrl, apiKey, authToken } = resolveEndpoint(config, env);
	const attempts = Number(env.CLOWDER_MAX_ATTEMPTS);
	return {
		...config,
		baseUrl,
		...(Number.isInteger(attempts) && attempts > 0 ? { maxAttempts: attempts } : {}),
		...(apiKey === undefined ? {} : { apiKey }),
		...(authToken === undefined ? {} : { authToken }),
	};
}

/** The model id that agents ask for by default, and their window in tokens. */
export function defaultModelOf(config: ModelConfig): string {
	if (config.provider === "anthropic") return config.model;
	if (config.provider === "scripted") return config.model ?? "scripted";
	return "offline";
}

/** The full id of a model that a running session can change to. @throws ERR_BAD_OPTION */
export function checkModelChoice(config: ModelConfig, name: string): string {
	const model = modelId(name.trim());
	if (model === "") throw new ClowderError("ERR_BAD_OPTION", "The model has no name", { remedy: "Name a model" });
	if (config.provider === "offline" || model === "offline") {
		throw new ClowderError("ERR_BAD_OPTION", "A session cannot change between the offline model and others", {
			remedy: "Start another session with that model",
		});
	}
	return model;
}

/**
 * Tokens a model's window holds. Every current Claude model takes 200,000; longer windows are opt-in. The offline
 * model has no window: compaction would only take results from it.
 */
export function contextWindowOf(model: string): number {
	return model === "offline" ? 2_000_000 : 200_000;
}

/** Output tokens asked for per reply. */
export const MAX_OUTPUT_TOKENS = 16_384;
