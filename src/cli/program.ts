// One command of the CLI, from flags to exit code. What a command needs is loaded when it runs.

import { type Actions, parseAndRun } from "./flags.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

export function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
	const actions: Actions = {
		main: async (flags) => {
			const headless = flags.print || flags.outputFormat !== "text" || flags.inputFormat !== "text";
			if (headless || !terminal.stdin.isTTY) {
				const { runHeadless } = await import("./headless.ts");
				return runHeadless(flags, terminal);
			}
			const { runRepl } = await import("./repl.ts");
			return runRepl(flags, terminal);
		},
		demo: async (dir, flags) => {
			const { runDemo } = await import("./demo.ts");
			return runDemo(dir, flags, terminal);
		},
	};
	return parseAndRun(argv, VERSION, terminal, actions);
}
