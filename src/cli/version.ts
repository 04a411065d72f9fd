import { readFileSync } from "node:fs";

/** This package's version. */
export const VERSION: string = (
	JSON.parse(readFileSync(new URL("../package.json", packageUrl()), "utf8")) as { version: string }
).version;

// Built: dist/cli.js. From source: src/cli/version.ts.
function packageUrl(): URL {
	const here = import.meta.url;
	return here.endsWith(".ts") ? new URL("../", here) : new URL(here);
}
