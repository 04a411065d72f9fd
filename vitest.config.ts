import { defineConfig } from "vitest/config";

// unit: sources, no threads. architecture: sources and dist as data. threads and scenarios: the built entries in dist,
// real threads and processes. Groups run one after another, so that real threads do not share the cores with unit tests.

/** About a module in a process that has not loaded another one. */
const ALONE = "test/tools/input-errors-mini.test.ts";

export default defineConfig({
	test: {
		maxWorkers: 2,
		restoreMocks: true,
		globalSetup: ["test/support/temporary-files.ts"],
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["test/**/*.test.ts"],
					exclude: ["test/threads/**", "test/scenarios/**", "test/architecture/**", ALONE],
					pool: "threads",
					// Loading the same sources for each file anew took longer than many a file's tests.
					isolate: false,
					testTimeout: 10_000,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: { name: "alone", include: [ALONE], sequence: { groupOrder: 0 } },
			},
			{
				extends: true,
				test: {
					name: "architecture",
					include: ["test/architecture/**/*.test.ts"],
					testTimeout: 30_000,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "threads",
					include: ["test/threads/**/*.test.ts"],
					pool: "forks",
					testTimeout: 60_000,
					sequence: { groupOrder: 1 },
				},
			},
			{
				extends: true,
				test: {
					name: "scenarios",
					include: ["test/scenarios/**/*.test.ts"],
					pool: "forks",
					testTimeout: 60_000,
					sequence: { groupOrder: 2 },
				},
			},
		],
	},
});
