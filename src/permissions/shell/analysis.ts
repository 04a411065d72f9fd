// Everything the engine wants to know of one bash command, gathered once: what it runs at every depth, what
// runs behind that, which files redirections touch, where it may be standing, and what stays in the dark.

import { innerOf } from "./inner-commands.ts";
import { parseScript } from "./parse-script.ts";
import type { Opaque, ShellAssignment, ShellCommand, ShellRedirect, ShellScript, ShellWord } from "./script.ts";
import { type Folders, foldersOf } from "./working-folders.ts";

/** A command that stands in the text, in the forms it comes down to. */
export interface Invocation {
	/** As written first, then without each transparent wrapper. */
	readonly forms: readonly [ShellCommand, ...ShellCommand[]];
	/** Commands that stand among its arguments: behind env, xargs, find -exec. */
	readonly inner: readonly Invocation[];
}

export interface ShellAnalysis {
	readonly source: string;
	/** What an allow rule has to cover, part for part. */
	readonly invocations: readonly Invocation[];
	/** All that runs: every form, and every command that another one runs. */
	readonly commands: readonly ShellCommand[];
	readonly redirects: readonly ShellRedirect[];
	readonly variables: readonly ShellAssignment[];
	readonly functions: readonly string[];
	readonly loopWords: readonly ShellWord[];
	/** Words that are neither a command's, a loop's nor a redirection's. */
	readonly otherWords: readonly ShellWord[];
	readonly opaque: readonly Opaque[];
	/** Folders that relative paths may start from. */
	readonly folders: Folders;
	/** The text could not be read, so nothing above is complete. */
	readonly problem: string | undefined;
}

export interface AnalysisContext {
	readonly cwd: string;
	readonly homeDir: string;
}

const MAX_DEPTH = 8;
const MAX_COMMANDS = 2_000;

export function analyzeCommand(source: string, context: AnalysisContext): ShellAnalysis {
	const folders = { home: context.homeDir, cwd: context.cwd };
	const invocations: Invocation[] = [];
	const commands: ShellCommand[] = [];
	const scripts: ShellScript[] = [];
	const opaque: Opaque[] = [];
	const top = parseScript(source, folders);

	function addScript(script: ShellScript, depth: number): void {
		scripts.push(script);
		opaque.push(...script.opaque);
		for (const command of script.commands) {
			const invocation = addCommand(command, depth);
			if (script === top) invocations.push(invocation);
		}
	}

	function addCommand(command: ShellCommand, depth: number): Invocation {
		commands.push(command);
		if (depth > MAX_DEPTH || commands.length > MAX_COMMANDS) {
			opaque.push({ strength: "certain", reason: "commands are nested too deeply" });
			return { forms: [command], inner: [] };
		}
		const inner = innerOf(command);
		opaque.push(...(inner.opaque ?? []));
		for (const text of inner.scripts ?? []) addText(text, depth + 1);
		const behind = inner.commands.map((each) => addCommand(each, depth + 1));
		const [first] = behind;
		if (inner.transparent && first) return { forms: [command, ...first.forms], inner: first.inner };
		return { forms: [command], inner: behind };
	}

	// What may begin at any word is found again at every depth.
	const seen = new Set<string>();
	function addText(text: string, depth: number): void {
		if (seen.has(text)) return;
		seen.add(text);
		const script = parseScript(text, folders);
		if (script.problem)
			opaque.push({ strength: "certain", reason: `a text that is run cannot be read: ${script.problem}` });
		addScript(script, depth);
	}

	addScript(top, 0);
	if (scripts.some((script) => script.holdsCode) && opaque.some((each) => each.strength === "possible")) {
		opaque.push({ strength: "certain", reason: "a quoted text holds a command that an expansion could run" });
	}
	return {
		source,
		invocations,
		commands,
		redirects: scripts.flatMap((script) => script.redirects),
		variables: scripts.flatMap((script) => script.variables),
		functions: scripts.flatMap((script) => script.functions),
		loopWords: scripts.flatMap((script) => script.loopWords),
		otherWords: scripts.flatMap((script) => script.otherWords),
		opaque,
		folders: foldersOf(commands, context),
		problem: top.problem,
	};
}
