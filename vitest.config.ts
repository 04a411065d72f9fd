import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// unit: sources, no threads. architecture: sources and dist as data. threads and scenarios: the built entries in dist,
// real threads and processes. Groups run one after another, so that real threads do not share the cores with unit tests.

/** About a module in a process that has not loaded another one. */
const ALONE = "test/tools/input-errors-mini.test.ts";

/** Files that take longest: begun last, one of them would have a core for itself while the other waits. */
const LONG = ["soak", "headless", "terminal-input", "resume", "cron-crash", "worktrees", "hostile-modules", "terminal"];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const rank = ({ moduleId }: TestSpecification) => {
			const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
			return at < 0 || !/\/test\/(?:threads|scenarios)\//.test(moduleId) ? LONG.length : at;
		};
		return sorted.toSorted((a, b) => rank(a) - rank(b));
	}
}

export default defineConfig({
	test: {
		maxWorkers: 2,
		sequence: { sequencer: LongestFirst },
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
