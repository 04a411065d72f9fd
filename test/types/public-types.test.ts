// What the public signatures take and give has a public name. Checked by the compiler (npm run check).

import { expectTypeOf, test } from "vitest";
import type {
	AgentDefinition,
	AgentSource,
	BroadcastReport,
	BudgetCaps,
	ClaimProof,
	ClowderError,
	Completion,
	DeadLetter,
	Environment,
	ErrorDetails,
	HooksConfig,
	KeptWorktree,
	Lead,
	LiveRunStatus,
	MailboxStatus,
	Phase,
	PlanReview,
	ProjectOptions,
	Rule,
	RuleKind,
	RunRecord,
	SessionEndReason,
	Supervisor,
	SupervisorOptions,
	Task,
	TaskBoardHand,
	TaskOwner,
	TeamHand,
	Teammate,
	TeammateStatus,
	TeamReceipt,
	ToolContext,
	TypedCommand,
	Unsubscribe,
	UserQuestion,
	Workspace,
} from "../../src/index.ts";
import type { Message, ModelCaller, ScriptCall } from "../../src/testing/index.ts";

type Option<Name extends keyof SupervisorOptions> = NonNullable<SupervisorOptions[Name]>;

test("names what options and callbacks are made of", () => {
	expectTypeOf<Parameters<Option<"askUser">>[0]>().toEqualTypeOf<UserQuestion>();
	expectTypeOf<Option<"budget">>().toEqualTypeOf<BudgetCaps>();
	expectTypeOf<Option<"project">>().toEqualTypeOf<ProjectOptions>();
	expectTypeOf<Option<"env">>().toEqualTypeOf<Environment>();
	expectTypeOf<NonNullable<AgentDefinition["hooks"]>>().toEqualTypeOf<HooksConfig>();
	expectTypeOf<AgentDefinition["source"]>().toEqualTypeOf<AgentSource>();
	expectTypeOf<ToolContext["workspace"]>().toEqualTypeOf<Workspace>();
});

test("names what is answered and told", () => {
	expectTypeOf<ReturnType<Supervisor["on"]>>().toEqualTypeOf<Unsubscribe>();
	expectTypeOf<Supervisor["commands"]>().toEqualTypeOf<readonly TypedCommand[]>();
	expectTypeOf<ReturnType<Supervisor["bus"]["deadLetters"]>[number]>().toEqualTypeOf<DeadLetter>();
	expectTypeOf<ReturnType<Supervisor["bus"]["status"]>[number]>().toEqualTypeOf<MailboxStatus>();
	expectTypeOf<NonNullable<Parameters<Lead["close"]>[1]>>().toEqualTypeOf<SessionEndReason>();
	expectTypeOf<LiveRunStatus["phase"]>().toEqualTypeOf<Phase>();
	expectTypeOf<NonNullable<RunRecord["worktree"]>>().toEqualTypeOf<KeptWorktree>();
	expectTypeOf<NonNullable<ClowderError["details"]>>().toEqualTypeOf<ErrorDetails>();
	expectTypeOf<Rule["kind"]>().toEqualTypeOf<RuleKind>();
});

test("names what the board and the team take and give", () => {
	expectTypeOf<NonNullable<Task["owner"]>>().toEqualTypeOf<TaskOwner>();
	expectTypeOf<Parameters<TaskBoardHand["complete"]>[1]>().toEqualTypeOf<ClaimProof>();
	expectTypeOf<Awaited<ReturnType<TaskBoardHand["complete"]>>>().toEqualTypeOf<Completion>();
	expectTypeOf<Teammate["status"]>().toEqualTypeOf<TeammateStatus>();
	expectTypeOf<Parameters<TeamHand["reviewPlan"]>[0]>().toEqualTypeOf<PlanReview>();
	expectTypeOf<Awaited<ReturnType<TeamHand["send"]>>>().toEqualTypeOf<TeamReceipt>();
	expectTypeOf<Awaited<ReturnType<TeamHand["broadcast"]>>>().toEqualTypeOf<BroadcastReport>();
});

test("names what a script is asked", () => {
	expectTypeOf<ScriptCall["messages"]>().toEqualTypeOf<readonly Message[]>();
	expectTypeOf<ScriptCall["caller"]>().toEqualTypeOf<ModelCaller>();
});
