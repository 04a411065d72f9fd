// Upstream: on Ctrl-C the terminal interrupts every process of `npm start`, and npm passes its own copy on to its child
// a millisecond later (@npmcli/run-script, signal-manager). To a program that leaves at once on a second Ctrl-C, one
// press would look like two.

const COPY_WITHIN_MS = 100;

/** Makes one Ctrl-C under npm arrive once in this process. Call before anything listens to SIGINT. */
export function dropForwardedInterrupts() {
	if (!process.env.npm_lifecycle_event) return;
	const emit = process.emit;
	let lastMs = Number.NEGATIVE_INFINITY;
	process.emit = function (name, ...args) {
		if (name !== "SIGINT") return emit.call(this, name, ...args);
		const nowMs = performance.now();
		const isCopy = nowMs - lastMs < COPY_WITHIN_MS;
		lastMs = nowMs;
		return isCopy || emit.call(this, name, ...args);
	};
}
