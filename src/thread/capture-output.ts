// What a tool prints in a thread goes to main as log events. A thread's own stdout would land unordered in the
// host's stdout, and is lost when the thread is terminated.

export type OutputSink = (level: "info" | "warn", text: string) => void;

/** Whoever has the thread now. The streams are redirected once in a thread's life, not once a run. */
let current: OutputSink | undefined;
let redirected = false;

/** Takes this thread's stdout and stderr until the returned function is called. */
export function captureOutput(sink: OutputSink): () => void {
	current = sink;
	if (!redirected) {
		redirected = true;
		redirect(process.stdout, "info");
		redirect(process.stderr, "warn");
	}
	return () => {
		if (current === sink) current = undefined;
	};
}

function redirect(stream: NodeJS.WriteStream, level: "info" | "warn"): void {
	const original = stream.write.bind(stream) as (...args: unknown[]) => boolean;
	stream.write = ((chunk: unknown, ...rest: unknown[]) => {
		if (!current) return original(chunk, ...rest);
		const text = typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8");
		current(level, text);
		const callback = rest.findLast((argument) => typeof argument === "function") as (() => void) | undefined;
		callback?.();
		return true;
	}) as typeof stream.write;
}
