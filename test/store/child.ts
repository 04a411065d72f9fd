// Runs a fixture in a process of its own: its TypeScript is built once into node_modules/.cache, where the
// packages are found.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

/** Builds a fixture; answers the path of a module that Node runs. */
export async function buildFixture(entry: URL, name: string): Promise<string> {
	const outDir = `${projectDir}node_modules/.cache/clowder-fixtures/${name}-${process.pid}`;
	await build({
		configFile: false,
		logLevel: "silent",
		root: projectDir,
		build: {
			ssr: fileURLToPath(entry),
			outDir,
			emptyOutDir: true,
			minify: false,
			rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
		},
	});
	return `${outDir}/${name}.mjs`;
}

export interface Child {
	readonly process: ChildProcess;
	/** Lines it printed so far. */
	readonly lines: string[];
	/** Resolves with the first line, printed already or yet to come, that passes the test. */
	line(test: (line: string) => boolean): Promise<string>;
	readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
	/** What it wrote to standard error so far. */
	stderr(): string;
}

export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): Child {
	const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
	const lines: string[] = [];
	let errors = "";
	const waiting = new Set<() => void>();
	createInterface({ input: child.stdout }).on("line", (line) => {
		lines.push(line);
		for (const look of waiting) look();
	});
	child.stderr.on("data", (chunk: Buffer) => {
		errors += chunk.toString();
	});
	const ended = new Promise<Awaited<Child["ended"]>>((resolve) =>
		child.on("close", (code, signal) => resolve({ code, signal })),
	);
	return {
		process: child,
		lines,
		stderr: () => errors,
		ended,
		line: (test) =>
			new Promise((resolve, reject) => {
				const look = () => {
					const found = lines.find(test);
					if (found === undefined) return;
					waiting.delete(look);
					resolve(found);
				};
				waiting.add(look);
				look();
				void ended.then(() => reject(new Error(`The child ended before it printed that: ${errors}`)));
			}),
	};
}
