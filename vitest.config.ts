import { defineConfig } from "vitest/config";

// unit: sources, no threads. architecture: sources and dist as data. threads and scenarios: the built entries in dist,
// real threads and processes. Groups run one after another, so that real threads do not share the cores with unit tests.
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
					exclude: ["test/threads/**", "test/scenarios/**", "test/architecture/**"],
					pool: "threads",
					testTimeout: 10_000,
					sequence: { groupOrder: 0 },
				},
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
