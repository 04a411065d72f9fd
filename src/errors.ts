// The one table of error codes: code, what it means, and the remedy a person can act on.
// Thrown on either side of the wall; crosses a thread only as ErrorData (wire/error-data.ts).
// Codes are stable; messages may change. Test with isClowderError, never instanceof, across threads.

export const ERROR_CODES = {
	ERR_BAD_OPTION: "An option or flag has a value that cannot be used",
	ERR_BAD_INPUT: "A value given to a public function cannot be used",
	ERR_BAD_MESSAGE: "A message from a thread does not have the agreed shape",
	ERR_ABORTED: "The operation was cancelled by its signal",
	ERR_TIMEOUT: "The operation did not finish within its time",
	ERR_CLOSED: "The supervisor or one of its parts has been closed",
	ERR_THREAD_GONE: "The thread ended before it answered",
	ERR_THREAD_START: "A thread could not be started",
	ERR_TOO_MANY_THREADS: "More threads were asked for than this machine or configuration allows",
	ERR_MAX_CONCURRENT: "The concurrency limit is reached and the queue is full",
	ERR_MAX_DEPTH: "Subagents may not be nested deeper",
	ERR_MAX_DESCENDANTS: "One agent tree may not start more subagents",
	ERR_UNKNOWN_RUN: "No run has this id",
	ERR_UNKNOWN_AGENT_TYPE: "No agent type has this name",
	ERR_UNKNOWN_TOOL: "No tool has this name",
	ERR_TOOL_MODULE: "A tool module could not be loaded",
	ERR_UNKNOWN_RECEIVER: "No agent has this name",
	ERR_MAILBOX_FULL: "The receiver's mailbox is full",
	ERR_FORGED_SENDER: "An agent tried to send in the name of another",
	ERR_BUDGET: "The token or cost budget does not cover this call",
	ERR_PERMISSION_DENIED: "The call is not permitted",
	ERR_HOOK_BLOCKED: "One of the person's hooks does not allow it",
	ERR_PERMISSION_RULE: "A permission rule cannot be read",
	ERR_PATH_ESCAPES: "The path leads outside the workspace",
	ERR_TEAM_NAME: "A teammate's name is taken or not valid",
	ERR_UNKNOWN_TEAMMATE: "No teammate has this name",
	ERR_TEAM_FULL: "The team has no room for another teammate",
	ERR_PROTOCOL: "A request of the team's protocols is not there, or not to be answered so",
	ERR_UNKNOWN_TASK: "No task of the board has this id",
	ERR_TASK_ID: "A task id is taken or not valid",
	ERR_TASK_CYCLE: "Tasks would wait for each other",
	ERR_TASK_BLOCKED: "The task waits for other tasks",
	ERR_TASK_CLAIMED: "The task is claimed by another or completed",
	ERR_TASK_OWNER_BUSY: "The owner has an open task already",
	ERR_TASK_CLAIM_LOST: "The task is not, or no longer, claimed by this owner",
	ERR_STATE_DIR: "The state folder cannot be used",
	ERR_STATE_CORRUPT: "A state file cannot be read",
	ERR_STATE_VERSION: "The state was written by a newer version",
	ERR_MODEL_CONFIG: "The model is not configured",
	ERR_MODEL_AUTH: "The model provider refused the credentials",
	ERR_MODEL_NOT_FOUND: "The model provider does not know this model",
	ERR_MODEL_BAD_REQUEST: "The model provider refused the request",
	ERR_MODEL_RATE_LIMITED: "The model provider is limiting the request rate",
	ERR_MODEL_OVERLOADED: "The model provider is overloaded",
	ERR_MODEL_SERVER: "The model provider failed",
	ERR_MODEL_UNREACHABLE: "The model provider cannot be reached",
	ERR_MODEL_STALLED: "The model's reply stopped arriving",
	ERR_PROMPT_TOO_LONG: "The conversation does not fit the model's window",
	ERR_SCRIPT: "The scripted model has no reply for this call",
	ERR_HISTORY: "The conversation breaks a rule of the Messages API",
	ERR_UNKNOWN_SESSION: "No session has this id",
	ERR_SESSION_IN_USE: "Another process has the session open",
	ERR_FILE: "A file or folder cannot be used",
	ERR_NO_REPOSITORY: "A worktree can only be made of a git repository that has files and a commit",
	ERR_GIT: "git cannot be run, or did not do what was asked",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

const BRAND: unique symbol = Symbol.for("clowder.error") as never;

/** Facts for programs: plain data only, so that they survive a thread boundary. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ClowderErrorOptions {
	/** What the person can do about it; appended to the message. */
	readonly remedy?: string;
	readonly details?: ErrorDetails;
	readonly cause?: unknown;
}

/** An operation that failed for a reason outside the program's own logic, with a stable code. */
export class ClowderError extends Error {
	override readonly name = "ClowderError";
	readonly code: ErrorCode;
	readonly remedy: string | undefined;
	readonly details: ErrorDetails | undefined;
	readonly [BRAND] = true;

	constructor(code: ErrorCode, message: string, options: ClowderErrorOptions = {}) {
		super(
			options.remedy ? `${message}. ${options.remedy}` : message,
			options.cause === undefined ? undefined : { cause: options.cause },
		);
		this.code = code;
		this.remedy = options.remedy;
		this.details = options.details;
	}
}

/** Tells a ClowderError, also one built by another copy of this module. */
export function isClowderError(value: unknown): value is ClowderError {
	try {
		return typeof value === "object" && value !== null && BRAND in value;
	} catch {
		// A proxy that throws is none.
		return false;
	}
}

/** The text of whatever was thrown. */
export function messageOf(thrown: unknown): string {
	try {
		if (thrown instanceof Error) return String(thrown.message) || String(thrown.name);
		if (typeof thrown === "object" && thrown !== null && "message" in thrown) return String(thrown.message);
		return String(thrown);
	} catch {
		// An object without a prototype, or a getter that throws.
		return "something that has no text";
	}
}
