// What a tool prints in a thread goes to main as log events. A thread's own stdout would land unordered in the
// host's stdout, and is lost when the thread is terminated.

export type OutputSink = (level: "info" | "warn", text: string) => void;

const MAX_CHARS = 8_192;

/** Redirects this thread's stdout and stderr until the returned function is called. */
export function captureOutput(sink: OutputSink): () => void {
	const restoreOut = redirect(process.stdout, (text) => sink("info", text));
	const restoreErr = redirect(process.stderr, (text) => sink("warn", text));
	return () => {
		restoreOut();
		restoreErr();
	};
}

function redirect(stream: NodeJS.WriteStream, sink: (text: string) => void): () => void {
	const original = stream.write;
	stream.write = ((chunk: unknown, ...rest: unknown[]) => {
		const text = typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8");
		sink(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
		const callback = rest.findLast((argument) => typeof argument === "function") as (() => void) | undefined;
		callback?.();
		return true;
	}) as typeof stream.write;
	return () => {
		stream.write = original;
	};
}
