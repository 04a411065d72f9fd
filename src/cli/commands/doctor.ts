// `/doctor`: what agents need, and whether it is there.

import type { Supervisor } from "../../runtime/supervisor.ts";

type HealthCheck = Awaited<ReturnType<Supervisor["doctor"]>>[number];

export function formatHealth(checks: readonly HealthCheck[]): string[] {
	const width = Math.max(...checks.map(({ name }) => name.length));
	const indent = " ".repeat(width + 9);
	const lines = checks.map(
		({ name, ok, detail }) =>
			`  ${ok ? "ok  " : "FAIL"} ${name.padEnd(width)}  ${detail.replaceAll("\n", `\n${indent}`)}`,
	);
	const failed = checks.filter(({ ok }) => !ok).length;
	return [...lines, failed === 0 ? "All is well." : `${failed} of ${checks.length} need attention.`];
}
