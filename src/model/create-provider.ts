// From configuration to provider. Each one is loaded only when it is used: the SDK alone costs more than all
// the rest of the gateway.

import type { Clock } from "../lib/clock.ts";
import type { ModelConfig } from "../wire/model-config.ts";
import type { ModelEnv } from "./endpoint.ts";
import type { ModelProvider } from "./provider.ts";

/** @throws ClowderError ERR_MODEL_CONFIG when the configuration cannot be used. */
export async function createProvider(config: ModelConfig, clock: Clock, env: ModelEnv): Promise<ModelProvider> {
	switch (config.provider) {
		case "anthropic": {
			const { createAnthropicProvider } = await import("./anthropic-provider.ts");
			return createAnthropicProvider(config, clock, env);
		}
		case "scripted": {
			const { createScriptedProvider } = await import("./scripted-provider.ts");
			return createScriptedProvider(config, clock);
		}
		case "offline": {
			const { createOfflineProvider } = await import("./offline/offline-provider.ts");
			return createOfflineProvider(config, clock);
		}
	}
}
