// Which of our tools a name in a rule stands for, and which tools touch files and how.

const CLAUDE_CODE_NAMES: Readonly<Record<string, string>> = {
	Read: "read_file",
	NotebookRead: "read_file",
	Write: "write_file",
	Edit: "edit_file",
	MultiEdit: "edit_file",
	NotebookEdit: "edit_file",
	Bash: "bash",
	Grep: "grep",
	Glob: "glob",
	LS: "glob",
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
	TaskOutput: "query_task",
	BashOutput: "job_output",
	KillShell: "job_stop",
	KillBash: "job_stop",
	Skill: "skill",
	ExitPlanMode: "submit_plan",
	CronCreate: "schedule_cron",
	CronList: "list_crons",
	CronDelete: "cancel_cron",
};

/** Our own name for a tool; a name that is not Claude Code's stays as it is. */
export function ownToolName(name: string): string {
	return Object.hasOwn(CLAUDE_CODE_NAMES, name) ? (CLAUDE_CODE_NAMES[name] ?? name) : name;
}

/** The name people know a tool by in rules. */
export function ruleToolName(ownName: string): string {
	const found = Object.entries(CLAUDE_CODE_NAMES).find(([, own]) => own === ownName);
	return ownName === "task" ? "Agent" : (found?.[0] ?? ownName);
}

/** Tools that read files; `Read` rules cover them all. */
export const FILE_READERS: readonly string[] = ["read_file", "grep", "glob"];
/** Tools that write files; `Edit` rules cover them all. */
export const FILE_WRITERS: readonly string[] = ["edit_file", "write_file"];

/**
 * Tools that change nothing but the program's own state (lists, messages, agents whose own calls are judged
 * again). Asking a person about them would stop every run at its first todo list.
 */
export const OWN_STATE_TOOLS: readonly string[] = [
	"todo_write",
	"ask_user",
	"skill",
	"task",
	"query_task",
	"create_task",
	"list_tasks",
	"get_task",
	"update_task",
	"claim_task",
	"complete_task",
	"job_output",
	"job_stop",
	"list_crons",
	"cancel_cron",
	"spawn_teammate",
	"send_message",
	"broadcast",
	"list_teammates",
	"shutdown_teammate",
	"request_plan",
	"submit_plan",
	"review_plan",
];
