// comlink ships its Node adapter without types for this path.
declare module "comlink/dist/esm/node-adapter.mjs" {
	import type { MessagePort, Worker } from "node:worker_threads";
	import type { Endpoint } from "comlink";

	export default function nodeEndpoint(endpoint: MessagePort | Worker): Endpoint;
}
