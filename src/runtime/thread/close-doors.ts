// Before a program's tool module is loaded in a thread: what Node offers there that looks past the thread by itself. It
// is no wall. A module has the rights of the process; it shall not come upon the key by a report that it writes.

/** Takes away the diagnostic report, which shows the environment of the process, and the debugger of the main thread. */
export async function closeDoors(): Promise<void> {
	Reflect.deleteProperty(process, "report");
	const { binding } = process as unknown as { binding?: (name: string) => unknown };
	if (binding !== undefined) {
		const guarded = (name: unknown): unknown => {
			const wanted = String(name);
			if (wanted === "inspector") refuse();
			return binding.call(process, wanted);
		};
		Reflect.set(process, "binding", guarded);
	}
	// A Node that was built without its debugger has none to take away.
	const inspector = await import("node:inspector").catch(() => undefined);
	if (inspector) Reflect.set(inspector.Session.prototype, "connectToMainThread", refuse);
}

function refuse(): never {
	throw new Error("A tool module may not debug the main thread");
}
