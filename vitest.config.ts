import { defineConfig } from "vitest/config";

// unit: source, no threads. threads and scenarios: the built entries in dist, real threads and processes.
export default defineConfig({
	test: {
		maxWorkers: 2,
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["test/**/*.test.ts"],
					exclude: ["test/threads/**", "test/scenarios/**", "test/architecture/**"],
					pool: "threads",
					testTimeout: 10_000,
				},
			},
			{
				extends: true,
				test: { name: "architecture", include: ["test/architecture/**/*.test.ts"], testTimeout: 30_000 },
			},
			{
				extends: true,
				test: { name: "threads", include: ["test/threads/**/*.test.ts"], pool: "forks", testTimeout: 60_000 },
			},
			{
				extends: true,
				test: { name: "scenarios", include: ["test/scenarios/**/*.test.ts"], pool: "forks", testTimeout: 60_000 },
			},
		],
	},
});
