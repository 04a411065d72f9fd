// npm run bench [-- NAME ARGS...]: runs one benchmark of bench/ as built, or lists them.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./ready/report.mjs";

const [name, ...args] = process.argv.slice(2);
const names = readdirSync(join(root, "bench"))
	.filter((file) => file.endsWith(".ts"))
	.map((file) => file.slice(0, -".ts".length));
const file = join(root, "dist", `bench-${name}.js`);

if (name !== undefined && names.includes(name) && existsSync(file)) {
	process.argv = [process.argv[0], file, ...args];
	await import(pathToFileURL(file).href);
} else {
	if (name !== undefined) console.error(`There is no benchmark '${name}'.`);
	console.error(`Benchmarks: ${names.join(", ")}\nRun one: npm run bench -- NAME`);
	process.exitCode = name === undefined ? 0 : 2;
}
