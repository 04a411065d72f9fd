// What code inside a thread may know of and do with its own thread.

import { parentPort, threadId } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";

export const ownThreadId: number = threadId;

/** Offers an API to the thread that started this one. */
export function exposeToParent(api: object): void {
	if (!parentPort) throw new Error("This entry must be started as a thread");
	Comlink.expose(api, nodeEndpoint(parentPort));
}
