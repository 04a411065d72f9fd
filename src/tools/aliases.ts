// Claude Code's tool names, which people have in their agent files, permission rules and hook matchers, and ours.

/** Claude Code's name → ours. Where two lead to one of ours, the first is the one we show to hooks. */
const OUR_NAMES = {
	Read: "read_file",
	Write: "write_file",
	Edit: "edit_file",
	MultiEdit: "edit_file",
	Bash: "bash",
	BashOutput: "job_output",
	KillShell: "job_stop",
	Grep: "grep",
	Glob: "glob",
	Task: "task",
	Agent: "task",
	TodoWrite: "todo_write",
	WebFetch: "web_fetch",
	AskUserQuestion: "ask_user",
	SendMessage: "send_message",
	TaskCreate: "create_task",
	TaskList: "list_tasks",
	TaskGet: "get_task",
	TaskUpdate: "update_task",
	Skill: "skill",
} as const satisfies Readonly<Record<string, string>>;

const theirNames = new Map<string, string>();
for (const [theirs, ours] of Object.entries(OUR_NAMES)) {
	if (!theirNames.has(ours)) theirNames.set(ours, theirs);
}

/** Our name for a tool under whichever name a user wrote it; a name that is no alias stays as it is. */
export function toOwnToolName(name: string): string {
	return Object.hasOwn(OUR_NAMES, name) ? OUR_NAMES[name as keyof typeof OUR_NAMES] : name;
}

/** Claude Code's name for one of our tools; a tool it does not have keeps its name. */
export function toClaudeToolName(ownName: string): string {
	return theirNames.get(ownName) ?? ownName;
}

/** Every name a user may write for one of our tools, our own first. */
export function namesOfTool(ownName: string): string[] {
	const theirs = Object.entries(OUR_NAMES).filter(([, ours]) => ours === ownName);
	return [ownName, ...theirs.map(([name]) => name)];
}
