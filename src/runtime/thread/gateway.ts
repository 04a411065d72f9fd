// The gateway inside its thread: wraps real ports around the thread-free gateway of model/.

import type { MessagePort } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import { createGateway, type Gateway } from "../../model/gateway.ts";
import type { ModelPort } from "../../model/serve-port.ts";
import { BudgetLedger } from "../../supervision/budget-ledger.ts";
import type { GatewayThreadApi } from "../../thread/gateway-thread-api.ts";

export function createGatewayApi(): GatewayThreadApi {
	let gateway: Gateway | undefined;
	const running = () => {
		if (!gateway) throw new Error("The model gateway is not configured");
		return gateway;
	};
	return {
		configure: (config, budget) => {
			const ledger = new BudgetLedger({ buffer: budget });
			gateway = createGateway({
				config,
				clock: systemClock,
				env: process.env,
				ledger: { reserve: (_caller, tokens, usd) => ledger.reserve(tokens, usd) ?? "refused" },
			});
			return gateway.loaded;
		},
		connect: (port) => running().connect(wrapPort(port)),
		stats: () => running().stats(),
	};
}

function wrapPort(port: MessagePort): ModelPort {
	return {
		post: (event) => port.postMessage(event),
		onMessage: (listener) => void port.on("message", listener),
		onClose: (listener) => void port.on("close", listener),
		close: () => port.close(),
	};
}
