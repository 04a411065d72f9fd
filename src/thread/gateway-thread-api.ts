// What main may call inside the gateway thread, over Comlink. Types only.

import type { MessagePort } from "node:worker_threads";
import type { ModelConfig } from "../wire/model-config.ts";

export interface GatewayThreadApi {
	configure(config: ModelConfig, budget: SharedArrayBuffer): void;
	connect(port: MessagePort): void;
	stats(): unknown;
}
