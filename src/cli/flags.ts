// The command line, with Claude Code's flags. Parsing only: nothing here starts anything.

import { Command, InvalidArgumentError, Option } from "commander";
import { PERMISSION_MODES, type PermissionMode } from "../permissions/modes.ts";
import type { Terminal } from "./terminal/terminal.ts";

export type OutputFormat = "text" | "json" | "stream-json";

export interface Flags {
	readonly print: boolean;
	readonly prompt: string | undefined;
	readonly outputFormat: OutputFormat;
	readonly inputFormat: "text" | "stream-json";
	readonly includePartialMessages: boolean;
	readonly verbose: boolean;
	readonly debug: boolean;
	readonly jsonSchema: string | undefined;
	readonly maxTurns: number | undefined;
	readonly maxBudgetUsd: number | undefined;
	readonly allowedTools: readonly string[];
	readonly disallowedTools: readonly string[];
	readonly permissionMode: PermissionMode | undefined;
	readonly model: string | undefined;
	readonly fallbackModel: string | undefined;
	readonly systemPrompt: string | undefined;
	readonly systemPromptFile: string | undefined;
	readonly appendSystemPrompt: string | undefined;
	readonly appendSystemPromptFile: string | undefined;
	/** Of the tools that come with Clowder, only these. */
	readonly tools: readonly string[] | undefined;
	/** The agent type that the lead is. */
	readonly agent: string | undefined;
	readonly agents: string | undefined;
	readonly settings: string | undefined;
	readonly projectSettings: boolean;
	readonly addDir: readonly string[];
	readonly sessionId: string | undefined;
	readonly continue: boolean;
	/** An id, or true where the person shall pick one. */
	readonly resume: string | true | undefined;
	readonly forkSession: boolean;
	readonly stateDir: string | undefined;
	readonly maxConcurrent: number | undefined;
}

export interface DemoFlags {
	readonly model: string | undefined;
	readonly maxConcurrent: number | undefined;
	readonly stateDir: string | undefined;
}

export interface Actions {
	main(flags: Flags): Promise<number>;
	demo(dir: string | undefined, flags: DemoFlags): Promise<number>;
	doctor(flags: Flags): Promise<number>;
}

const list = (value: string, previous: readonly string[] = []) => [...previous, ...splitRules(value)];

/** Splits `Read,Bash(git add, git commit)` at commas and blanks outside of brackets. */
export function splitRules(text: string): string[] {
	const rules: string[] = [];
	let depth = 0;
	let rule = "";
	for (const char of text) {
		if (char === "(") depth += 1;
		if (char === ")") depth -= 1;
		if (depth === 0 && (char === "," || /\s/.test(char))) {
			if (rule) rules.push(rule);
			rule = "";
		} else {
			rule += char;
		}
	}
	return rule ? [...rules, rule] : rules;
}

function wholeNumber(value: string): number {
	const number = Number(value);
	if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number from 1 up.");
	return number;
}

function amount(value: string): number {
	const number = Number(value);
	if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It must be a number above 0.");
	return number;
}

/** Parses and runs. Rejects with a CommanderError on bad usage, after one line on stderr. */
export async function parseAndRun(
	argv: readonly string[],
	version: string,
	terminal: Terminal,
	actions: Actions,
): Promise<number> {
	let code = 0;
	const modelOption = () => new Option("--model <model>", "model id or alias: sonnet, opus, haiku, offline");
	const concurrency = () =>
		new Option("--max-concurrent <n>", "subagents running at once (default 8)").argParser(wholeNumber);
	const stateDir = () => new Option("--state-dir <dir>", "where sessions are kept (default ~/.clowder/projects/…)");
	const program = new Command("clowder")
		.description("A lead agent that hands work to subagents, each in a thread of its own")
		.version(version, "-v, --version")
		.argument("[prompt]", "what to do; with -p also from standard input")
		.option("-p, --print", "print the answer and leave", false)
		.addOption(
			new Option("--output-format <format>", "with -p").choices(["text", "json", "stream-json"]).default("text"),
		)
		.addOption(new Option("--input-format <format>", "with -p").choices(["text", "stream-json"]).default("text"))
		.option("--include-partial-messages", "with stream-json: text as it arrives", false)
		.option("--verbose", "with -p: each turn and tool call on stderr", false)
		.option("--debug", "the same, and the agents' log", false)
		.option("--json-schema <schema>", "with -p: the answer is JSON of this schema")
		.addOption(new Option("--max-turns <n>", "with -p: model turns").argParser(wholeNumber))
		.addOption(new Option("--max-budget-usd <usd>", "what all agents together may cost").argParser(amount))
		.option("--allowedTools, --allowed-tools <rules...>", "rules that allow, e.g. 'Bash(git *)' Edit", list)
		.option("--disallowedTools, --disallowed-tools <rules...>", "rules that deny", list)
		.addOption(
			new Option("--permission-mode <mode>", "what happens to calls no rule decides").choices(PERMISSION_MODES),
		)
		.option("--dangerously-skip-permissions", "the same as --permission-mode bypassPermissions", false)
		.addOption(modelOption())
		.option("--fallback-model <model>", "used while the model is overloaded")
		.option("--system-prompt <text>", "in the place of the lead's own")
		.option("--system-prompt-file <file>", "the same from a file")
		.option("--append-system-prompt <text>", "added to every system prompt")
		.option("--append-system-prompt-file <file>", "the same from a file")
		.addOption(
			new Option("--tools <list>", "only these built-in tools, e.g. 'Read,Grep'; '' for none").argParser(splitRules),
		)
		.option("--agent <name>", "the agent type that answers, in the place of general")
		.option("--agents <json>", 'agent types: {"name":{"description","prompt","tools","model"}}')
		.option("--settings <file>", "settings file that wins over all others")
		.option("--no-project-settings", "leave the project's own settings out")
		.option("--add-dir <dirs...>", "more folders that agents may touch")
		.option("-c, --continue", "go on with the conversation last active in this folder", false)
		.option("-r, --resume [id]", "go on with a conversation: its id, or pick one")
		.option("--fork-session", "with -c or -r: go on with a copy, under a new id", false)
		.option("--session-id <id>", "id of the new session")
		.addOption(concurrency())
		.addOption(stateDir())
		.action(async (prompt: string | undefined, options: Record<string, unknown>) => {
			code = await actions.main(toFlags(prompt, options));
		});
	program
		.command("demo")
		.description("surveys a folder with one subagent per part; needs no key")
		.argument("[dir]", "the folder (default: this one)")
		.addOption(modelOption())
		.addOption(concurrency())
		.addOption(stateDir())
		.action(async (dir: string | undefined, _own: unknown, command: Command) => {
			code = await actions.demo(dir, command.optsWithGlobals());
		});
	program
		.command("doctor")
		.description("looks whether what agents need is there")
		.action(async () => {
			const options = program.opts();
			// `clowder -p doctor` asks an agent.
			code = await (options.print
				? actions.main(toFlags("doctor", options))
				: actions.doctor(toFlags(undefined, options)));
		});
	for (const command of [program, ...program.commands]) {
		command.exitOverride().configureOutput({
			writeOut: terminal.out,
			writeErr: terminal.err,
			outputError: (text, write) => write(`clowder: ${text.replace(/^error: /, "").trim()} (see clowder --help)\n`),
		});
	}
	await program.parseAsync(argv, { from: "user" });
	return code;
}

function toFlags(prompt: string | undefined, options: Record<string, unknown>): Flags {
	const { dangerouslySkipPermissions, tools, ...rest } = options;
	// As in Claude Code: `default` stands for all of them.
	const named = Array.isArray(tools) && tools.join() !== "default" ? { tools } : {};
	return {
		allowedTools: [],
		disallowedTools: [],
		addDir: [],
		...rest,
		...named,
		...(dangerouslySkipPermissions ? { permissionMode: "bypassPermissions" } : {}),
		prompt,
	} as unknown as Flags;
}
