// The library names its options and methods; who typed a command wants the flag or the slash command.

/** The library's words, and those of the command line. */
const WORDS: readonly (readonly [string, string])[] = [
	["`supervisor.sessions()` lists them", "`/resume` lists them"],
	["the option `resume`", "--continue and --resume"],
	["the option `forkSession`", "--fork-session"],
	["the option `project.settings`", "--settings"],
	["the option `project.agents`", "--agents"],
	["of the option `permissions`", "of --allowedTools and --disallowedTools"],
];

const FLAGS: Readonly<Record<string, string>> = {
	maxConcurrent: "--max-concurrent",
	"limits.turns": "--max-turns",
	"budget.usd": "--max-budget-usd",
	sessionId: "--session-id",
	resume: "--resume",
	fallbackModel: "--fallback-model",
	stateDir: "--state-dir",
	"project.settings": "--settings",
	"project.agents": "--agents",
};

/** An error or a warning of the library, for somebody who sees flags. */
export function inFlags(text: string, env: Readonly<Record<string, string | undefined>> = {}): string {
	let said = text.replace(
		/^(?:createSupervisor|startLead): '([\w.]+)'/,
		(whole, option: string) => FLAGS[option] ?? whole,
	);
	for (const [ours, theirs] of WORDS) said = said.replaceAll(ours, theirs);
	// Whoever came by `npm start` has no command `clowder` to give a flag to.
	return env.npm_lifecycle_event === "start"
		? said.replaceAll("(--model offline)", "(npm start -- --model offline)")
		: said;
}
