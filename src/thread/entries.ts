// The one file that knows where thread entries are. Built code uses the bundle beside it; code running from
// source uses the last build, or the sources themselves where this Node strips types.

import { existsSync } from "node:fs";
import { ClowderError } from "../errors.ts";

export type EntryName = "subagent" | "lead" | "gateway";

const FILES: Readonly<Record<EntryName, string>> = {
	subagent: "subagent.cjs",
	lead: "lead.worker.js",
	gateway: "gateway.worker.js",
};

/** URL of a thread's entry file. @throws ERR_THREAD_START when there is none to be found. */
export function entryUrl(name: EntryName, override?: URL | string): URL {
	if (override !== undefined) return new URL(FILES[name], override);
	const here = import.meta.url;
	if (!here.endsWith(".ts")) return new URL(`./workers/${FILES[name]}`, here);
	const built = new URL(`../../dist/workers/${FILES[name]}`, here);
	if (existsSync(built)) return built;
	// The pool's own file is CommonJS and finds the source by itself.
	if ("typescript" in process.features && process.features.typescript)
		return new URL(`../../workers/${FILES[name].replace(/\.js$/, ".ts")}`, here);
	throw new ClowderError("ERR_THREAD_START", `The entry of the ${name} thread is not built`, {
		remedy: "Run 'npm run build'",
	});
}
