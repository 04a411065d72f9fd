// How many threads this machine can carry, and what each may use. Measured: a thread takes about 35 memory maps,
// and running out of them aborts the whole process without an error event, so the limit is refused beforehand.

import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import type { ResourceLimits } from "node:worker_threads";
import { ClowderError } from "../errors.ts";

const MAPS_PER_THREAD = 35;
/** Linux's own default of vm.max_map_count, assumed where it cannot be read. */
const DEFAULT_MAX_MAPS = 65_530;
const MEMORY_PER_THREAD_MB = 12;

export const DEFAULT_MAX_THREADS = 64;

/** The highest number of agent threads this machine can be trusted with. */
export async function maxThreadsOfMachine(): Promise<number> {
	const text = await readFile("/proc/sys/vm/max_map_count", "utf8").catch(() => "");
	const maps = Number.parseInt(text, 10) || DEFAULT_MAX_MAPS;
	const byMaps = Math.floor((maps * 0.7) / MAPS_PER_THREAD);
	const byMemory = Math.floor((totalmem() / 2 ** 20) * 0.5) / MEMORY_PER_THREAD_MB;
	return Math.max(4, Math.min(byMaps, Math.floor(byMemory)));
}

/** Checks a wanted number of threads. @throws ERR_TOO_MANY_THREADS */
export async function checkMaxThreads(wanted: number): Promise<void> {
	const most = await maxThreadsOfMachine();
	if (wanted <= most) return;
	throw new ClowderError(
		"ERR_TOO_MANY_THREADS",
		`${wanted} agent threads were asked for, this machine carries ${most}`,
		{
			remedy: "Lower maxConcurrent or maxThreads, or raise vm.max_map_count",
			details: { wanted, most },
		},
	);
}

/** Hard limits of one agent thread, twice its soft memory mark: main acts on the soft one first. */
export function agentResourceLimits(heapMb: number): ResourceLimits {
	return { maxOldGenerationSizeMb: heapMb * 2, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
}
