// The gateway: every agent's model calls go through here, over one port each. Owns what they share: the
// provider and its key, the rate gate, the connections, the budget and the retry policy.
// Thread-free: the gateway thread wraps its MessagePorts, tests pass linked pairs.

import type { Clock } from "../lib/clock.ts";
import { addUsage, NO_USAGE, type Usage } from "../wire/conversation.ts";
import type { AnthropicConfig, ModelConfig } from "../wire/model-config.ts";
import { type BudgetLedger, createEstimator } from "./budget.ts";
import { createConnectionSlots } from "./connection-slots.ts";
import { createProvider } from "./create-provider.ts";
import type { ModelEnv } from "./endpoint.ts";
import { PRICES, type PriceTable } from "./price-table.ts";
import type { ModelProvider } from "./provider.ts";
import { createRateGate, type GateState } from "./rate-gate.ts";
import { createRedactor } from "./redact.ts";
import { type ModelPort, type PortDeps, type ServedPort, servePort } from "./serve-port.ts";
import { createSharer } from "./share-texts.ts";

export interface GatewayOptions {
	readonly config: ModelConfig;
	readonly clock: Clock;
	/** Credentials for a configuration that names none. @default {} */
	readonly env?: ModelEnv;
	/** Asked before each attempt. @default no budget */
	readonly ledger?: BudgetLedger;
	/** From 0 up to, but not including, 1. @default Math.random */
	readonly random?: () => number;
	/** Replaces or extends the built-in prices, by model id. */
	readonly prices?: PriceTable;
	/** Drives this one instead of the configured provider. */
	readonly provider?: ModelProvider;
	/** Told why a port was closed for what came over it. */
	readonly onMalformed?: (detail: string) => void;
}

export interface GatewayStats {
	readonly ports: number;
	readonly callsInFlight: number;
	readonly connectionsUsed: number;
	readonly waitingForConnection: number;
	/** Gates that are closed or have calls waiting. */
	readonly gates: readonly GateState[];
	readonly finished: number;
	readonly failed: number;
	readonly cancelled: number;
	readonly retries: number;
	readonly malformed: number;
	/** Of all attempts, failed ones included. */
	readonly usage: Usage;
	readonly costUsd: number;
}

export interface Gateway {
	/** Settles when the provider's modules have been loaded, whether or not they could be. */
	readonly loaded: Promise<void>;
	/** Serves one agent's port until it closes. */
	connect(port: ModelPort): void;
	stats(): GatewayStats;
	/** Cancels all calls and closes all ports; ports that connect later are closed at once. */
	close(): void;
}

const DEFAULT_IDLE_TIMEOUT_MS = 90_000;
const DEFAULT_MAX_ATTEMPTS = 5;
const DEFAULT_MAX_CONNECTIONS = 64;

/**
 * Builds a gateway and starts loading its provider.
 *
 * **Contract**: a configuration that cannot be used fails each call with ERR_MODEL_CONFIG, not the gateway.
 */
export function createGateway(options: GatewayOptions): Gateway {
	const { config, clock, env = {}, random = Math.random } = options;
	const provider = options.provider ? Promise.resolve(options.provider) : createProvider(config, clock, env);
	// Each call reports the failure; without any call nobody needs to know.
	provider.catch(() => {});
	const gate = createRateGate(clock, random);
	const connections = createConnectionSlots(maxConnectionsOf(config));
	const prices = { ...PRICES, ...options.prices };
	const ports = new Map<ModelPort, ServedPort>();
	const counts = { finished: 0, failed: 0, cancelled: 0, retries: 0, malformed: 0 };
	let usage = NO_USAGE;
	let costUsd = 0;
	let isClosed = false;

	const shared: Omit<PortDeps, "onClosed"> = {
		provider,
		clock,
		random,
		gate,
		connections,
		prices,
		estimator: createEstimator(prices),
		ledger: options.ledger,
		idleTimeoutMs: (config.provider === "offline" ? undefined : config.idleTimeoutMs) ?? DEFAULT_IDLE_TIMEOUT_MS,
		maxAttempts: (config.provider === "offline" ? undefined : config.maxAttempts) ?? DEFAULT_MAX_ATTEMPTS,
		fallbackModel: config.provider === "anthropic" ? config.fallbackModel : undefined,
		share: createSharer(),
		redact: createRedactor(config.provider === "anthropic" ? secretsOf(config, env) : []),
		onSpent(spent, usd) {
			usage = addUsage(usage, spent);
			costUsd += usd;
		},
		onMalformed(detail) {
			counts.malformed += 1;
			options.onMalformed?.(detail);
		},
		onCallEnded(end) {
			counts[end] += 1;
		},
		onRetry() {
			counts.retries += 1;
		},
	};

	return {
		loaded: provider.then(
			() => {},
			() => {},
		),
		connect(port) {
			if (isClosed) return port.close();
			const served = servePort(port, { ...shared, onClosed: () => void ports.delete(port) });
			if (!served.isClosed) ports.set(port, served);
		},
		stats: () => ({
			ports: ports.size,
			callsInFlight: [...ports.values()].reduce((sum, port) => sum + port.callsInFlight, 0),
			connectionsUsed: connections.used,
			waitingForConnection: connections.waiting,
			gates: gate.states().filter(({ opensInMs, waiting }) => opensInMs > 0 || waiting > 0),
			...counts,
			usage,
			costUsd,
		}),
		close() {
			isClosed = true;
			for (const served of [...ports.values()]) served.close();
		},
	};
}

// Scripts and the offline rules have no connections that could run out.
function maxConnectionsOf(config: ModelConfig): number {
	if (config.provider !== "anthropic") return Number.POSITIVE_INFINITY;
	return config.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
}

// All that could be in use, not only what is: a text may come from anywhere.
function secretsOf({ apiKey, authToken, baseUrl }: AnthropicConfig, env: ModelEnv): (string | undefined)[] {
	const addresses = [baseUrl, env.ANTHROPIC_BASE_URL].flatMap((text) => {
		if (!text || !URL.canParse(text)) return [];
		const { username, password } = new URL(text);
		return [username, password];
	});
	return [apiKey, authToken, env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN, ...addresses];
}
