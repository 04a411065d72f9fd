// One command of the CLI, from flags to exit code. What a command needs is loaded when it runs.

import { UsageError } from "./failure.ts";
import { type Actions, parseAndRun } from "./flags.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { VERSION } from "./version.ts";

/** Commands that people know from Claude Code, and what there is instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	agents: "agent files are read from .claude/agents and .clowder/agents; /agents lists the types",
	auth: "set ANTHROPIC_API_KEY",
	config: "settings are files: .clowder/settings.json, and the same under .claude and the home folder",
	install: "install it as an npm package",
	login: "set ANTHROPIC_API_KEY",
	logout: "unset ANTHROPIC_API_KEY",
	mcp: "there is no support for MCP servers yet",
	plugin: "there are no plugins",
	"setup-token": "set ANTHROPIC_API_KEY",
	update: "update it as an npm package",
	upgrade: "update it as an npm package",
};

export function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
	const actions: Actions = {
		main: async (given) => {
			const [word = ""] = argv;
			if (argv.length === 1 && Object.hasOwn(ELSEWHERE, word)) {
				throw new UsageError(`There is no command '${word}': ${ELSEWHERE[word]} (to ask an agent: clowder -p ${word})`);
			}
			const { withPromptFiles } = await import("./headless/prompt-files.ts");
			const flags = await withPromptFiles(given);
			const headless = flags.print || flags.outputFormat !== "text" || flags.inputFormat !== "text";
			if (headless || !terminal.stdin.isTTY) {
				const { runHeadless } = await import("./headless/headless.ts");
				return runHeadless(flags, terminal);
			}
			const { runRepl } = await import("./repl/repl.ts");
			return runRepl(flags, terminal);
		},
		demo: async (dir, flags) => {
			const { runDemo } = await import("./demo.ts");
			return runDemo(dir, flags, terminal);
		},
		doctor: async (flags) => {
			const { runDoctor } = await import("./doctor.ts");
			return runDoctor(flags, terminal);
		},
	};
	return parseAndRun(argv, VERSION, terminal, actions);
}
