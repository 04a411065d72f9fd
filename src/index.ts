// The library. Every name here is public; nothing else is.

export type { Job, JobStatus } from "./background/job.ts";
export type { DeadLetter } from "./bus/dead-letters.ts";
export type { MailboxStatus, RoutingStep } from "./bus/inspection.ts";
export type { AgentDefinition, AgentSource } from "./config/agent-definition.ts";
export type { Schedule } from "./cron/schedule.ts";
export type { WantedSchedule } from "./cron/schedules.ts";
export {
	ClowderError,
	type ClowderErrorOptions,
	ERROR_CODES,
	type ErrorCode,
	type ErrorDetails,
	isClowderError,
} from "./errors.ts";
export type { HookEventName } from "./hooks/events.ts";
export type { CommandHook, HookGroup, HooksConfig } from "./hooks/hook-config.ts";
export type { Clock, TimerHandle, TimerOptions } from "./lib/clock.ts";
export type { Unsubscribe } from "./lib/emitter.ts";
export type { PermissionMode } from "./permissions/modes.ts";
export type { PermissionAnswer, PermissionDenial, PermissionPrompt } from "./permissions/prompt.ts";
export type { Rule, RuleKind, RuleSource } from "./permissions/rules/rule.ts";
export type { Lead, PromptResult } from "./runtime/agents/lead.ts";
export { createSupervisor } from "./runtime/create-supervisor.ts";
export type { HealthCheck } from "./runtime/doctor.ts";
export type { SessionEndReason } from "./runtime/hooks/hook-moments.ts";
export type { HookListing } from "./runtime/hooks/list-hooks.ts";
export type { Environment } from "./runtime/options/environment.ts";
export type { SupervisorOptions, UserQuestion } from "./runtime/options/options.ts";
export type { PermissionOptions } from "./runtime/options/permission-options.ts";
export type { LeadOptions, SpawnOptions } from "./runtime/options/spawn-options.ts";
export type { ToolModule } from "./runtime/options/split-tools.ts";
export type { ProjectOptions } from "./runtime/project.ts";
export type { AutonomyHand } from "./runtime/rooms/autonomy.ts";
export type { SessionSummary } from "./runtime/sessions/find-session.ts";
export type { LiveRunStatus, SupervisorStatus } from "./runtime/status.ts";
export type { InstructionFile, Supervisor } from "./runtime/supervisor.ts";
export type { ExpandedPrompt } from "./runtime/typed/expand-prompt.ts";
export type { TypedCommand } from "./runtime/typed/typed-commands.ts";
export type { BudgetCaps } from "./supervision/budget-ledger.ts";
export type { RunEvent } from "./supervision/live-run.ts";
export type { Run, RunResult } from "./supervision/run.ts";
export type { Phase } from "./supervision/status-board.ts";
export type { Task, TaskChange, TaskDraft, TaskOwner } from "./tasks/task.ts";
export type { Completion, TaskBoardHand } from "./tasks/task-board.ts";
export type { ClaimProof } from "./tasks/task-claims.ts";
export type { AutonomousConfig } from "./teams/autonomy/autonomous-config.ts";
export type { TeammateStatus } from "./teams/member.ts";
export type { PlanReview } from "./teams/plan-approval.ts";
export type { ProtocolRequest } from "./teams/protocols/protocol-book.ts";
export type { Teammate } from "./teams/roster.ts";
export type { SpawnTeammate } from "./teams/spawn-teammate.ts";
export type { BroadcastReport, TeamReceipt } from "./teams/talk.ts";
export type { TeamHand } from "./teams/team.ts";
export type { TeamOptions } from "./teams/team-parts.ts";
export { type ScriptedAgents, type ScriptedModule, scriptedModel } from "./testing/scripted-model.ts";
export { defineTool, type ToolDefinition } from "./tools/define-tool.ts";
export type { InputSchema, Tool, ToolContext, ToolOutput } from "./tools/definition.ts";
export type { ObjectJsonSchema } from "./tools/json-schema-input.ts";
export type { Workspace } from "./tools/workspace.ts";
export type { AgentEvent } from "./wire/control.ts";
export type { AssistantBlock, Message, Usage } from "./wire/conversation.ts";
export type { Envelope, EnvelopeKind, OutgoingEnvelope, SendReceipt } from "./wire/envelope.ts";
export type {
	AnthropicConfig,
	ModelConfig,
	OfflineConfig,
	Script,
	ScriptedConfig,
	ScriptedReply,
} from "./wire/model-config.ts";
export type { KeptWorktree, RunLimits, RunOutcome, RunReason, RunRecord, RunStatus, UsageTotals } from "./wire/run.ts";
