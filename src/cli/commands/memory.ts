// `/memory`: which instruction files stand in the agents' system prompt.

import type { Supervisor } from "../../runtime/supervisor.ts";

/** A rule of thumb, good enough to see which file is the large one. */
const CHARS_PER_TOKEN = 4;

export function formatMemory(sections: ReturnType<Supervisor["instructions"]>): string[] {
	if (sections.length === 0) return ["No instruction files. CLAUDE.md or AGENTS.md in this folder would be read."];
	const width = Math.max(...sections.map(({ path }) => path.length));
	const total = sections.reduce((sum, { chars }) => sum + chars, 0);
	return [
		"Instruction files, the last one nearest (explore and plan agents go without):",
		...sections.map(
			({ path, chars, importedBy }) =>
				`  ${path.padEnd(width)}  ${sizeOf(chars)}${importedBy === undefined ? "" : `, imported by ${importedBy}`}`,
		),
		`  ${"Together".padEnd(width)}  ${sizeOf(total)}`,
	];
}

function sizeOf(chars: number): string {
	return `${chars.toLocaleString("en")} characters, about ${Math.ceil(chars / CHARS_PER_TOKEN).toLocaleString("en")} tokens`;
}
