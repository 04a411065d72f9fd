// How eagerly ready tasks are handed to idle members.

import { ClowderError } from "../../errors.ts";

export interface AutonomousConfig {
	/** How often is looked without an occasion, and how long a member that took no message is left alone. @default 10_000 */
	readonly tickIntervalMs: number;
	/** Most tasks handed out in one round. @default 16 */
	readonly maxTasksPerTick: number;
}

const BOUNDS: Readonly<Record<keyof AutonomousConfig, { fallback: number; least: number; most: number }>> = {
	tickIntervalMs: { fallback: 10_000, least: 100, most: 3_600_000 },
	maxTasksPerTick: { fallback: 16, least: 1, most: 1_000 },
};

type WantedConfig = { readonly [Name in keyof AutonomousConfig]?: AutonomousConfig[Name] | undefined };

/** Fills in what is not given. @throws ClowderError ERR_BAD_OPTION that names the field and its bounds. */
export function createAutonomousConfig(wanted: WantedConfig = {}): AutonomousConfig {
	const read = (name: keyof AutonomousConfig) => checked(name, wanted[name] ?? BOUNDS[name].fallback);
	return { tickIntervalMs: read("tickIntervalMs"), maxTasksPerTick: read("maxTasksPerTick") };
}

function checked(name: keyof AutonomousConfig, value: number): number {
	const { least, most } = BOUNDS[name];
	if (Number.isInteger(value) && value >= least && value <= most) return value;
	throw new ClowderError("ERR_BAD_OPTION", `${name} cannot be ${String(value).slice(0, 80)}`, {
		remedy: `Give a whole number from ${least} to ${most}`,
		details: { name, least, most },
	});
}
