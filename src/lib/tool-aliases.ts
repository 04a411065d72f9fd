// Claude Code's tool names, which people have in their agent files, permission rules and hook matchers, and ours.

/** Claude Code's name → ours. Where several lead to one of ours, the first is the one we show to hooks. */
const OUR_NAMES: Readonly<Record<string, string>> = {
	Read: "read_file",
	NotebookRead: "read_file",
	Write: "write_file",
	Edit: "edit_file",
	MultiEdit: "edit_file",
	NotebookEdit: "edit_file",
	Bash: "bash",
	BashOutput: "job_output",
	KillShell: "job_stop",
	KillBash: "job_stop",
	Grep: "grep",
	Glob: "glob",
	LS: "glob",
	Task: "task",
	Agent: "task",
	TaskOutput: "query_task",
	TodoWrite: "todo_write",
	WebFetch: "web_fetch",
	AskUserQuestion: "ask_user",
	SendMessage: "send_message",
	TaskCreate: "create_task",
	TaskList: "list_tasks",
	TaskGet: "get_task",
	TaskUpdate: "update_task",
	Skill: "skill",
	ExitPlanMode: "submit_plan",
	CronCreate: "schedule_cron",
	CronList: "list_crons",
	CronDelete: "cancel_cron",
};

const theirNames = new Map<string, string>();
for (const [theirs, ours] of Object.entries(OUR_NAMES)) {
	if (!theirNames.has(ours)) theirNames.set(ours, theirs);
}

/** Our name for a tool under whichever name a user wrote it; a name that is no alias stays as it is. */
export function toOwnToolName(name: string): string {
	return (Object.hasOwn(OUR_NAMES, name) ? OUR_NAMES[name] : undefined) ?? name;
}

/** Claude Code's name for one of our tools; a tool it does not have keeps its name. */
export function toClaudeToolName(ownName: string): string {
	return theirNames.get(ownName) ?? ownName;
}

/** The name people know a tool by in rules: there `Task` became `Agent`. */
export function toRuleToolName(ownName: string): string {
	return ownName === "task" ? "Agent" : toClaudeToolName(ownName);
}

/** Every name a user may write for one of our tools, our own first. */
export function namesOfTool(ownName: string): string[] {
	const theirs = Object.entries(OUR_NAMES).filter(([, ours]) => ours === ownName);
	return [ownName, ...theirs.map(([name]) => name)];
}
