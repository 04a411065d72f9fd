// The model gateway from outside: one supervised, restartable thread that makes every model call.
// It alone is given the provider's credentials. When it dies, the threads that were connected ask for new ports.

import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { ClowderError } from "../errors.ts";
import { atMost, type Clock } from "../lib/clock.ts";
import type { ModelConfig } from "../wire/model-config.ts";
import { threadExecArgv } from "./exec-argv.ts";
import type { GatewayThreadApi } from "./gateway-thread-api.ts";

/** Deaths of the gateway within RESTART_PERIOD_MS after which it is not started again. */
const RESTART_INTENSITY = 10;
const RESTART_PERIOD_MS = 60_000;
/** How long it may take to come to the end of its loading when it is closed, in ms. */
const LOADING_MS = 2_000;
const STAYS_DOWN = `The model gateway died ${RESTART_INTENSITY + 1} times within a minute and stays down; start again to go on`;

export interface GatewayThread {
	/**
	 * Opens a model port to a gateway that serves it; transfer it into the agent's thread. It closes when the gateway
	 * ends. Rejects with ERR_CLOSED after `close`, and with ERR_THREAD_GONE when the gateway stays down.
	 */
	connect(): Promise<MessagePort>;
	/** For diagnosis: what goes on inside. Rejects when the gateway is down. */
	stats(): Promise<unknown>;
	readonly threadId: number;
	readonly restarts: number;
	close(): Promise<void>;
}

export interface GatewayThreadOptions {
	readonly entry: URL;
	readonly config: ModelConfig;
	/** Environment of the thread: proxies and certificates, no more. */
	readonly env: Readonly<Record<string, string>>;
	readonly budget: SharedArrayBuffer;
	readonly clock: Clock;
	onWarning(text: string): void;
}

interface RunningGateway {
	readonly worker: Worker;
	readonly api: Comlink.Remote<GatewayThreadApi>;
	readonly exited: Promise<number>;
	/** Settles when it has loaded all that it loads at its start. */
	readonly loaded: Promise<unknown>;
}

export function startGatewayThread(options: GatewayThreadOptions): GatewayThread {
	const deaths: number[] = [];
	let closed = false;
	let staysDown = false;
	let restarts = 0;
	let gateway = boot();

	function boot(): RunningGateway {
		const worker = new Worker(options.entry, {
			name: "clowder-gateway",
			env: options.env,
			execArgv: threadExecArgv(),
			trackUnmanagedFds: true,
		});
		const api = Comlink.wrap<GatewayThreadApi>(nodeEndpoint(worker));
		const exited = new Promise<number>((resolve) => worker.once("exit", resolve));
		worker.on("error", (error) => options.onWarning(`The model gateway failed: ${error.message}`));
		worker.unref();
		// Order: the configuration is the first message, so calls on any port find it done.
		const loaded = api.configure(options.config, options.budget).catch((thrown: unknown) => {
			options.onWarning(`The model gateway could not be configured: ${String(thrown)}`);
		});
		void exited.then(onExit);
		return { worker, api, exited, loaded };
	}

	function onExit(): void {
		if (closed) return;
		const now = options.clock.monotonicMs();
		deaths.push(now);
		while ((deaths[0] ?? now) < now - RESTART_PERIOD_MS) deaths.shift();
		if (deaths.length > RESTART_INTENSITY) {
			staysDown = true;
			options.onWarning(STAYS_DOWN);
			return;
		}
		restarts += 1;
		gateway = boot();
	}

	async function connect(): Promise<MessagePort> {
		for (;;) {
			if (closed) throw new ClowderError("ERR_CLOSED", "The model gateway is closed");
			if (staysDown) throw new ClowderError("ERR_THREAD_GONE", STAYS_DOWN);
			const { api, exited } = gateway;
			const { port1, port2 } = new MessageChannel();
			const served = api.connect(Comlink.transfer(port2, [port2] as never)).then(() => true);
			// Order: once the exit is known, `gateway` is the successor.
			if (await Promise.race([served, exited.then(() => false)])) return port1;
			port1.close();
		}
	}

	return {
		connect,
		stats: () => Promise.race([gateway.api.stats(), rejectOnExit(gateway.exited)]),
		get threadId() {
			return gateway.worker.threadId;
		},
		get restarts() {
			return restarts;
		},
		close: async () => {
			closed = true;
			const { worker, loaded, exited } = gateway;
			worker.ref();
			// Order: not while it loads its modules (leaked file descriptors, see supervision/after-finish).
			await atMost(options.clock, LOADING_MS, Promise.race([loaded, exited]));
			await worker.terminate();
		},
	};
}

async function rejectOnExit(exited: Promise<number>): Promise<never> {
	await exited;
	throw new Error("The model gateway is down");
}
