// SIGINT, SIGTERM and SIGHUP: the first one ends the work in order, another SIGINT leaves at once.

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

const SIGNALS: readonly SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export const SIGNAL_EXIT: Readonly<Record<SignalName, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Calls back on each of these signals until the returned function is called. */
export function onSignals(listener: (signal: SignalName, count: number) => void): () => void {
	let count = 0;
	const handlers = SIGNALS.map((signal) => {
		const handler = () => {
			count += 1;
			listener(signal, count);
		};
		process.on(signal, handler);
		return () => process.off(signal, handler);
	});
	return () => {
		for (const off of handlers) off();
	};
}
