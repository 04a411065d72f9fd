// The library. Every name here is public; nothing else is.

export type { Job, JobStatus } from "./background/job.ts";
export type { AgentDefinition } from "./config/agent-definition.ts";
export type { Schedule } from "./cron/schedule.ts";
export type { WantedSchedule } from "./cron/schedules.ts";
export { ClowderError, ERROR_CODES, type ErrorCode, isClowderError } from "./errors.ts";
export type { Clock } from "./lib/clock.ts";
export type { PermissionMode } from "./permissions/modes.ts";
export type { PermissionAnswer, PermissionDenial, PermissionPrompt } from "./permissions/prompt.ts";
export { createSupervisor } from "./runtime/create-supervisor.ts";
export type { SessionSummary } from "./runtime/find-session.ts";
export type { Lead, PromptResult } from "./runtime/lead.ts";
export type { SupervisorOptions, ToolModule } from "./runtime/options.ts";
export type { PermissionOptions } from "./runtime/permission-options.ts";
export type { LeadOptions, SpawnOptions } from "./runtime/spawn-options.ts";
export type { LiveRunStatus, SupervisorStatus } from "./runtime/status.ts";
export type { Supervisor } from "./runtime/supervisor.ts";
export type { RunEvent } from "./supervision/live-run.ts";
export type { Run, RunResult } from "./supervision/run.ts";
export type { Task, TaskDraft } from "./tasks/task.ts";
export type { TaskBoardHand } from "./tasks/task-board.ts";
export { scriptedModel } from "./testing/scripted-model.ts";
export { defineTool } from "./tools/define-tool.ts";
export type { Tool, ToolContext, ToolOutput } from "./tools/definition.ts";
export type { AgentEvent } from "./wire/control.ts";
export type { Envelope, OutgoingEnvelope, SendReceipt } from "./wire/envelope.ts";
export type { ModelConfig, Script, ScriptedReply } from "./wire/model-config.ts";
export type { RunLimits, RunOutcome, RunReason, RunRecord, RunStatus, UsageTotals } from "./wire/run.ts";
