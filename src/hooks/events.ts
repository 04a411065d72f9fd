// The events a hook can listen to, and what a handler may answer. Names as Claude Code has them.

export const HOOK_EVENTS = [
	"PreToolUse",
	"PostToolUse",
	"UserPromptSubmit",
	"Stop",
	"SubagentStart",
	"SubagentStop",
	"PreCompact",
	"SessionStart",
	"SessionEnd",
	"Notification",
	"TeammateIdle",
	"TaskCreated",
	"TaskCompleted",
] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

export interface ToolCallFacts {
	readonly toolUseId: string;
	/** Our own name of the tool (`read_file`); user hooks see Claude Code's. */
	readonly toolName: string;
	readonly input: unknown;
}

export interface ToolResultFacts {
	readonly content: string;
	readonly isError: boolean;
	readonly durationMs: number;
}

/** Why a person's attention is wanted, in Claude Code's words. */
export type NotificationKind = "permission_prompt" | "elicitation_dialog" | "idle_prompt";

/** Payload per event. */
export interface HookPayloads {
	PreToolUse: ToolCallFacts;
	PostToolUse: ToolCallFacts & { readonly result: ToolResultFacts };
	UserPromptSubmit: { readonly prompt: string };
	Stop: { readonly stopHookActive: boolean; readonly lastAssistantMessage: string };
	SubagentStart: { readonly runId: string; readonly agentType: string; readonly description: string };
	SubagentStop: {
		readonly runId: string;
		readonly agentType: string;
		readonly stopHookActive: boolean;
		readonly lastAssistantMessage: string;
	};
	PreCompact: { readonly trigger: "auto" | "manual"; readonly focus: string };
	SessionStart: { readonly source: "startup" | "resume" | "clear" | "compact" };
	SessionEnd: { readonly reason: string };
	Notification: { readonly message: string; readonly notificationType: NotificationKind };
	TeammateIdle: { readonly teammateName: string };
	TaskCreated: { readonly taskId: string; readonly taskSubject: string; readonly teammateName?: string };
	TaskCompleted: { readonly taskId: string; readonly taskSubject: string; readonly teammateName?: string };
}

/** What one handler, or all of them merged, decided. */
export type HookOutcome =
	| {
			readonly kind: "continue";
			/** Text added for the model. */
			readonly context?: string;
			/** PreToolUse only: a permission decision; deny rules still win over `allow`. */
			readonly permission?: "allow" | "ask";
	  }
	| { readonly kind: "block"; readonly reason: string }
	/** PreToolUse: the new input. PostToolUse: the new result text. */
	| {
			readonly kind: "replace";
			readonly value: unknown;
			readonly context?: string;
			readonly permission?: "allow" | "ask";
	  }
	/** Ends the agent's turn at once (`continue: false`). */
	| { readonly kind: "stop"; readonly reason: string };

export const CONTINUE: HookOutcome = { kind: "continue" };
