// The `model` option of createSupervisor, field by field: a name, or the configuration of one provider.

import * as z from "zod";
import {
	amount,
	amountOrNone,
	anyText,
	count,
	either,
	faultsOf,
	fields,
	listOf,
	oneOf,
	record,
	text,
} from "../../lib/input-schema.ts";
import { isRecord } from "../../lib/is-record.ts";

// What a reply says may be as wrong as a model can be; only what would play it otherwise than meant is refused.
const replySchema = fields({
	text: anyText.optional(),
	toolUses: listOf(fields({ name: anyText, input: z.unknown().optional(), id: anyText.optional() })).optional(),
	content: listOf(z.unknown()).optional(),
	stopReason: anyText.optional(),
	usage: record.optional(),
	delayMs: amountOrNone.optional(),
	deltas: count(0, 1_000_000).optional(),
	error: fields({
		status: count(0, 999),
		retryAfterMs: amountOrNone.optional(),
		message: anyText.optional(),
	}).optional(),
	fault: oneOf("stall", "cut").optional(),
});

const timing = { idleTimeoutMs: amount.optional(), maxAttempts: count(1, 1_000).optional() };

const BY_PROVIDER: Readonly<Record<string, z.ZodType>> = {
	anthropic: fields({
		...{ provider: anyText, model: anyText, fallbackModel: text.optional(), ...timing },
		...{ apiKey: anyText.optional(), authToken: anyText.optional(), baseUrl: anyText.optional() },
		maxConnections: count(1, 100_000).optional(),
	}),
	scripted: fields({
		...{ provider: anyText, model: text.optional(), module: text.optional(), ...timing },
		script: fields({
			agents: z.record(z.string(), listOf(replySchema), { error: () => "must be an object of lists of replies" }),
			afterEnd: oneOf("repeat", "fail").optional(),
		}).optional(),
	}),
	offline: fields({ provider: anyText, delayMs: amountOrNone.optional() }),
};

const providerSchema = z.any().superRefine((value, context) => {
	const schema = BY_PROVIDER[(value as { provider?: unknown } | null)?.provider as string];
	if (!schema) {
		const known = Object.keys(BY_PROVIDER).map((name) => `"${name}"`);
		if (isRecord(value)) {
			return void context.addIssue({
				code: "custom",
				path: ["provider"],
				message: `must be one of ${known.join(", ")}`,
			});
		}
		return void context.addIssue({ code: "custom", message: "must be a model's name, or an object with a provider" });
	}
	for (const { message, path } of faultsOf(schema, value)) context.addIssue({ code: "custom", message, path });
});

/** A model's name, or a whole configuration. */
export const modelSchema = either((value) => typeof value === "string", anyText, providerSchema);
