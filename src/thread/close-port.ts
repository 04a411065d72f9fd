import type { MessagePort } from "node:worker_threads";

/**
 * Closes a port and waits until the other side has been told, which happens in a later phase of this thread's event
 * loop: a pool thread that goes back to sleep before that keeps the other side waiting.
 */
export function closePort(port: MessagePort): Promise<void> {
	return new Promise((resolve) => {
		port.once("close", () => resolve());
		port.close();
	});
}
