// What main may call inside the gateway thread, over Comlink. Types only.

import type { MessagePort } from "node:worker_threads";
import type { ModelConfig } from "../wire/model-config.ts";

export interface GatewayThreadApi {
	/** In force at once. Resolves when the provider's modules have been loaded, whether or not they could be. */
	configure(config: ModelConfig, budget: SharedArrayBuffer): Promise<void>;
	connect(port: MessagePort): void;
	stats(): unknown;
}
