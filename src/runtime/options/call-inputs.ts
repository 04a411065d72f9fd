// What the calls of a supervisor take, field by field.

import * as z from "zod";
import { ClowderError } from "../../errors.ts";
import {
	anyText,
	checkInput,
	count,
	fields,
	flag,
	idText,
	listOf,
	must,
	oneOf,
	record,
	text,
} from "../../lib/input-schema.ts";
import { isRecord } from "../../lib/is-record.ts";
import { shown } from "../../lib/shown.ts";
import { ENVELOPE_KINDS } from "../../wire/envelope.ts";
import { limitsSchema } from "./supervisor-input.ts";

const signalSchema = must<AbortSignal>("an AbortSignal", (value) => {
	const signal = value as AbortSignal;
	return isRecord(value) && typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function";
});
const parentSchema = must(
	"a run or its id",
	(value) =>
		typeof value === "string" || (isRecord(value) && typeof (value as { readonly id?: unknown }).id === "string"),
);

const spawnSchema = fields({
	description: text,
	prompt: text,
	agentType: text.optional(),
	model: text.optional(),
	outputSchema: record.optional(),
	isolation: oneOf("worktree").optional(),
	parent: parentSchema.optional(),
	signal: signalSchema.optional(),
	limits: limitsSchema.optional(),
});

const leadSchema = fields({
	name: must(
		"a name of 1 to 128 characters",
		(value) => typeof value === "string" && /^.{1,128}$/u.test(value),
	).optional(),
	agentType: text.optional(),
	limits: limitsSchema.optional(),
	model: text.optional(),
	systemPrompt: anyText.optional(),
	outputSchema: record.optional(),
});

const teammateSchema = fields({
	// Which names it can have, the team says.
	name: anyText,
	role: text,
	prompt: text,
	agentType: text.optional(),
	model: text.optional(),
	taskId: text.optional(),
	requirePlan: flag.optional(),
	isolation: oneOf("worktree").optional(),
});

const reviewSchema = fields({ requestId: text, approve: flag, feedback: anyText.optional() });

const scheduleSchema = fields({ cron: text, prompt: text, recurring: flag.optional(), durable: flag.optional() });

const taskFields = { description: anyText.optional(), blockedBy: listOf(anyText).optional() };
const taskSchema = fields({ id: anyText.optional(), title: text, ...taskFields });
const taskChangeSchema = fields({ title: text.optional(), ...taskFields });

const envelopeSchema = fields({
	id: text.optional(),
	kind: oneOf(...ENVELOPE_KINDS),
	to: text,
	body: anyText,
	summary: anyText.optional(),
	correlationId: anyText.optional(),
	data: record.optional(),
});

const named = fields({ name: text });
const said = fields({ text: anyText });

const SCHEMAS = {
	spawn: spawnSchema,
	startLead: leadSchema,
	on: named,
	conversation: fields({ last: count(0, Number.MAX_SAFE_INTEGER).optional() }),
	"lead.prompt": fields({ text }),
	"lead.expand": said,
	"lead.useModel": said,
	"auto.command": said,
	"permissions.setMode": fields({ mode: anyText }),
	"tasks.openBlockers": z.looseObject({ blockedBy: listOf(anyText) }, { error: () => "must be a task" }),
	"team.spawn": teammateSchema,
	"team.send": fields({ to: text, body: anyText, summary: anyText.optional() }),
	"team.broadcast": fields({ body: anyText }),
	"team.stop": named,
	"team.log": named,
	"team.requestPlan": named,
	"team.reviewPlan": reviewSchema,
	"schedules.add": scheduleSchema,
	"tasks.create": taskSchema,
	"tasks.update": taskChangeSchema,
	"bus.send": envelopeSchema,
	"permissions.addRule": fields({
		kind: oneOf("allow", "ask", "deny"),
		text,
		options: fields({ save: flag.optional() }).optional(),
	}),
} as const;

/** @throws ERR_BAD_INPUT for a listener that could not be called */
export function checkListener(where: string, listener: unknown): void {
	if (typeof listener === "function") return;
	throw new ClowderError("ERR_BAD_INPUT", `${where}: the listener must be a function, not ${shown(listener)}`, {
		details: { where, field: "listener" },
	});
}

/** @throws ERR_BAD_INPUT that names the field and what it must be */
export function checkId(where: string, id: unknown): void {
	checkInput(fields({ id: idText }), { id }, { where });
}

/** @throws ERR_BAD_INPUT that names the field and what it must be */
export function checkCall(call: keyof typeof SCHEMAS, value: unknown): void {
	checkInput(SCHEMAS[call], value, { where: call });
}
