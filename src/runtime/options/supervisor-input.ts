// What createSupervisor takes, field by field. Whether what it names is there (folders, modules) is looked at in
// options.ts and the files below it.

import * as z from "zod";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import { isSessionId, SESSION_ID_RULE } from "../../lib/ids.ts";
import {
	amount,
	amountOrNone,
	anyText,
	callback,
	checkInput,
	count,
	either,
	fields,
	flag,
	listOf,
	must,
	oneOf,
	record,
	text,
} from "../../lib/input-schema.ts";
import { isRecord } from "../../lib/is-record.ts";
import { PERMISSION_MODES } from "../../permissions/modes.ts";
import { isToolName } from "../../tools/registry.ts";
import { modelSchema } from "./model-input.ts";

const texts = listOf(anyText);

export const limitsSchema = fields({
	turns: count(1, 1_000_000).optional(),
	wallMs: amount.optional(),
	heapMb: amount.optional(),
	tokens: amount.optional(),
	usd: amount.optional(),
	idleMs: amount.optional(),
	startMs: amount.optional(),
	unresponsiveMs: amount.optional(),
	graceMs: amountOrNone.optional(),
});

const hookGroup = fields({
	matcher: anyText,
	hooks: listOf(
		fields({ command: text, timeoutMs: amount.optional(), source: anyText, projectDir: anyText.optional() }),
	),
});

const agentSchema = fields({
	name: must(
		"a name of 1 to 128 characters, without a colon and not beginning with -",
		(value) => typeof value === "string" && /^(?!-)[^:\p{Cc}]{1,128}$/u.test(value) && /\S/.test(value),
	),
	description: text,
	prompt: anyText,
	tools: texts.optional(),
	disallowedTools: texts.optional(),
	model: text.optional(),
	permissionMode: oneOf(...PERMISSION_MODES).optional(),
	limits: limitsSchema.optional(),
	readOnly: flag.optional(),
	instructions: flag.optional(),
	skills: texts.optional(),
	mcpServers: listOf(either((value) => typeof value === "string", text, record)).optional(),
	hooks: fields(Object.fromEntries(HOOK_EVENTS.map((event) => [event, listOf(hookGroup).optional()]))).optional(),
	background: flag.optional(),
	effort: anyText.optional(),
	isolation: oneOf("worktree").optional(),
	color: anyText.optional(),
	initialPrompt: anyText.optional(),
	memory: oneOf("user", "project", "local").optional(),
	extra: record.optional(),
	source: fields({ kind: oneOf("built-in", "host", "flag", "project", "user"), path: anyText.optional() }).optional(),
});

const pathOrUrl = must<string | URL>("a path or a URL", (value) =>
	typeof value === "string"
		? /\S/.test(value)
		: isRecord(value) && typeof (value as { readonly href?: unknown }).href === "string",
);
const moduleSchema = fields({ module: pathOrUrl, readOnly: texts.optional() });
const hasSafeParse = (value: unknown) =>
	isRecord(value) && typeof (value as { safeParse?: unknown }).safeParse === "function";
// A tool may be an object of the program's own class: what it has besides is its business.
const toolSchema = z.looseObject(
	{
		name: must("a tool's name: 1 to 64 letters, digits, _ or -", isToolName),
		description: text,
		inputSchema: must("a zod schema; for a JSON Schema, make the tool with defineTool", hasSafeParse),
		readOnly: flag,
		execute: callback,
	},
	{ error: () => "must be a tool made with defineTool, or { module: path or URL }" },
);

// Upstream: process.env is no plain object to zod.
const environmentSchema = z.any().superRefine((value, context) => {
	if (!isRecord(value)) return context.addIssue({ code: "custom", message: "must be an object" });
	for (const [name, each] of Object.entries(value)) {
		if (each === undefined || typeof each === "string") continue;
		context.addIssue({ code: "custom", message: "must be a text", path: [name] });
	}
});

const supervisorSchema = fields({
	cwd: text.optional(),
	model: modelSchema.optional(),
	fallbackModel: text.optional(),
	maxConcurrent: count(1, 2_000).optional(),
	maxQueued: count(0, 1_000_000).optional(),
	maxThreads: count(1, 2_000).optional(),
	warmThreads: count(0, 2_000).optional(),
	maxDepth: count(0, 3).optional(),
	maxDescendants: count(0, 1_000_000).optional(),
	limits: limitsSchema.optional(),
	budget: fields({ tokens: amount.optional(), usd: amount.optional() }).optional(),
	agents: listOf(agentSchema).optional(),
	tools: listOf(
		either((value) => isRecord(value) && "module" in (value as object), moduleSchema, toolSchema),
	).optional(),
	builtinTools: listOf(anyText).optional(),
	permissions: fields({
		mode: oneOf(...PERMISSION_MODES).optional(),
		allow: texts.optional(),
		ask: texts.optional(),
		deny: texts.optional(),
		onRequest: callback.optional(),
	}).optional(),
	project: fields({
		files: oneOf("trusted", "untrusted", "excluded").optional(),
		settings: text.optional(),
		agents: text.optional(),
	}).optional(),
	verbose: flag.optional(),
	askUser: callback.optional(),
	appendSystemPrompt: anyText.optional(),
	stateDir: text.optional(),
	env: environmentSchema.optional(),
	additionalDirectories: listOf(text).optional(),
	workerUrl: pathOrUrl.optional(),
	onWarning: callback.optional(),
	sessionId: must(SESSION_ID_RULE, isSessionId).optional(),
	resume: text.optional(),
	forkSession: flag.optional(),
	runSchedules: flag.optional(),
	team: fields({
		maxTeammates: count(0, 48).optional(),
		tickIntervalMs: count(100, 3_600_000).optional(),
		maxTasksPerTick: count(1, 1_000).optional(),
		restart: fields({
			type: oneOf("transient", "temporary").optional(),
			intensity: count(0, 1_000_000).optional(),
			periodMs: amount.optional(),
		}).optional(),
	}).optional(),
	clock: must("a Clock: now, monotonicMs, after and every", isClock).optional(),
});

/** @throws ERR_BAD_OPTION that names the option and what it must be */
export function checkOptions(options: unknown): void {
	checkInput(supervisorSchema, options, { where: "createSupervisor", code: "ERR_BAD_OPTION" });
}

function isClock(value: unknown): boolean {
	const clock = value as Record<string, unknown>;
	return isRecord(value) && ["now", "monotonicMs", "after", "every"].every((name) => typeof clock[name] === "function");
}
