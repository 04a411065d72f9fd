// bash: one command line in a shell of its own. What the permission engine on main let through is run as it is.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Tool, ToolError, type ToolOutput } from "../definition.ts";
import { OUTPUT_LIMITS } from "../process/output-collector.ts";
import { runShell, type ShellResult } from "../process/run-shell.ts";
import { BASH_NAME, type BashInput, bashInputSchema, DEFAULT_TIMEOUT_MS, jobRequest } from "./bash-input.ts";

const NOTE_CHARACTERS = 5_000;
// Upstream: Linux takes no single argument of 128 KiB or more (MAX_ARG_STRLEN).
const MAX_COMMAND_BYTES = 131_071;

export const bashTool: Tool<BashInput> = {
	name: BASH_NAME,
	description:
		"Runs a command line in bash and returns what it prints, stdout and stderr together. Every call starts in the " +
		"working folder: a `cd` or a variable does not last to the next call. There is no input to answer questions with. " +
		"After 120 seconds, or timeout_ms, the command and all it started are ended. Output over 50,000 characters is " +
		"cut in the middle and kept whole in a file. For servers and long work set run_in_background.",
	inputSchema: bashInputSchema,
	readOnly: false,
	// The output is cut already; this leaves room for what is said about it.
	maxResultChars: OUTPUT_LIMITS.maxCharacters + NOTE_CHARACTERS,
	summarize: ({ command, description }) => description || command,
	async execute(input, context) {
		if (input.run_in_background) {
			return context.ask("room-call", jobRequest(input, context.toolUseId), context.signal);
		}
		await checkStart(input.command, context.cwd);
		if (context.signal.aborted) return { content: "Error: Interrupted", isError: true };
		const timeoutMs = input.timeout_ms ?? DEFAULT_TIMEOUT_MS;
		const result = await runShell(context, {
			command: input.command,
			cwd: context.cwd,
			timeoutMs,
			outputFile: join(context.outputDir, `bash-${context.toolUseId.replaceAll(/[^\w-]/g, "_")}.txt`),
		});
		return describe(result, timeoutMs);
	},
};

async function checkStart(command: string, cwd: string): Promise<void> {
	if (command.includes("\0")) throw new ToolError("Error: command contains a null byte");
	const bytes = Buffer.byteLength(command);
	if (bytes > MAX_COMMAND_BYTES) {
		throw new ToolError(`Error: command is too long (${bytes} bytes); write it to a file and run that`);
	}
	const folder = await stat(cwd).catch(() => undefined);
	if (!folder?.isDirectory()) throw new ToolError(`Error: the working folder ${cwd} does not exist`);
}

function describe({ output, end, leftRunning }: ShellResult, timeoutMs: number): ToolOutput {
	const printed = output.replace(/\n$/, "");
	const running = leftRunning ? ["(a process it started is still running; it ends with this agent)"] : [];
	switch (end.kind) {
		case "exited": {
			const exit = end.code === 0 ? [] : [`Exit code: ${end.code}`];
			const content = [printed || "(no output)", ...running, ...exit].join("\n");
			return { content, isError: end.code !== 0 };
		}
		case "killed":
			return { content: withOutput("Error: the shell was ended by a signal", printed), isError: true };
		case "timeout":
			return { content: withOutput(`Error: Timeout (${timeoutMs / 1000}s)`, printed), isError: true };
		case "aborted":
			return { content: withOutput("Error: Interrupted", printed), isError: true };
	}
}

function withOutput(first: string, printed: string): string {
	return printed ? `${first}\n${printed}` : first;
}
