// The numbers among the options of createSupervisor, and their bounds.

import { z } from "zod";
import { ClowderError } from "../errors.ts";

const count = (least: number, most: number) => z.number().int().min(least).max(most);
const limit = z.number().positive().optional();
const numbersSchema = z.object({
	maxConcurrent: count(1, 2_000).optional(),
	maxQueued: count(0, 1_000_000).optional(),
	maxThreads: count(1, 2_000).optional(),
	warmThreads: count(0, 2_000).optional(),
	maxDepth: count(0, 3).optional(),
	maxDescendants: count(0, 1_000_000).optional(),
	limits: z
		.object({
			turns: count(1, 1_000_000).optional(),
			wallMs: limit,
			heapMb: limit,
			tokens: limit,
			usd: limit,
			idleMs: limit,
			startMs: limit,
			unresponsiveMs: limit,
			graceMs: z.number().nonnegative().optional(),
		})
		.strict()
		.optional(),
	budget: z.object({ tokens: limit, usd: limit }).strict().optional(),
	team: z
		.object({
			maxTeammates: count(0, 48).optional(),
			tickIntervalMs: count(100, 3_600_000).optional(),
			maxTasksPerTick: count(1, 1_000).optional(),
			restart: z
				.object({
					type: z.enum(["transient", "temporary"]).optional(),
					intensity: count(0, 1_000_000).optional(),
					periodMs: limit,
				})
				.strict()
				.optional(),
		})
		.strict()
		.optional(),
});

/** @throws ERR_BAD_OPTION that names the option */
export function checkNumbers(options: object): void {
	const parsed = numbersSchema.safeParse(options);
	if (parsed.success) return;
	const issue = parsed.error.issues[0];
	throw new ClowderError("ERR_BAD_OPTION", `Option '${issue?.path.join(".")}' cannot be used: ${issue?.message}`);
}
