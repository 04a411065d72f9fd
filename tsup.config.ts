// Three kinds of output. Library (index, testing, and the benchmarks that embed it): dependencies stay external.
// Workers: each entry is one lean file with everything its first turn needs, because a thread pays for every module it
// loads; what is imported dynamically becomes chunks beside it. CLI: bundled too, since 180 small files of packages took
// longer to find and open than to run. Run through scripts/ready (or npm run build), not by hand.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";

const outDir = process.env.CLOWDER_OUT_DIR || "dist";
const withTypes = process.env.CLOWDER_BUILD_TYPES === "1";

const libraryEntries = { index: "src/index.ts", testing: "src/testing/index.ts" };
const workerEntries = {
	"subagent.worker": "workers/subagent.worker.ts",
	"lead.worker": "workers/lead.worker.ts",
	"gateway.worker": "workers/gateway.worker.ts",
};

const base: Options = {
	format: "esm",
	platform: "node",
	target: "node20",
	sourcemap: true,
	splitting: true,
	clean: false,
	silent: true,
};

const main: Options = {
	...base,
	entry: { ...libraryEntries, ...benchEntries() },
	outDir,
	dts: withTypes ? { entry: libraryEntries } : false,
	esbuildPlugins: [saveMetafile("main")],
};

/** Packages inside the output, but for those in `external`: they find files of their own beside themselves. */
function bundled(name: string, external: readonly string[]): Options {
	return {
		noExternal: [new RegExp(`^(?!(?:${external.join("|")})(?:/|$))`)],
		external: [...external],
		// CommonJS packages inside an ES module still call require for Node's own modules.
		banner: {
			js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
		},
		esbuildPlugins: [saveMetafile(name)],
		// Most of the source is other people's: line numbers suffice.
		esbuildOptions: (options) => {
			options.sourcesContent = false;
		},
	};
}

const cli: Options = {
	...base,
	...bundled("cli", ["@vscode/ripgrep", "lmdb", "piscina"]),
	entry: { cli: "src/cli/main.ts" },
	outDir,
};

const workers = Object.entries(workerEntries).map(
	([name, source]): Options => ({
		...base,
		...bundled(name, ["@vscode/ripgrep"]),
		entry: { [name]: source },
		outDir: join(outDir, "workers"),
	}),
);

/** `npm run bench -- NAME` runs dist/bench-NAME.js, flat in dist so that thread entries are found beside it. */
function benchEntries(): Record<string, string> {
	const files = readdirSync("bench").filter((file) => file.endsWith(".ts"));
	return Object.fromEntries(files.map((file) => [`bench-${file.slice(0, -".ts".length)}`, `bench/${file}`]));
}

/** Keeps what went into each output; test/architecture/entry-size.test.ts reads it. */
function saveMetafile(name: string): NonNullable<Options["esbuildPlugins"]>[number] {
	return {
		name: "save-metafile",
		setup(build) {
			build.onEnd((result) => {
				if (!result.metafile) return;
				mkdirSync(join(outDir, "meta"), { recursive: true });
				writeFileSync(join(outDir, "meta", `${name}.json`), JSON.stringify(result.metafile));
			});
		},
	};
}

export default defineConfig([main, cli, ...workers]);
