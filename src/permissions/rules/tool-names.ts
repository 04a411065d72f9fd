// Which of our tools touch files and how, and which touch the program's own state only.

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
