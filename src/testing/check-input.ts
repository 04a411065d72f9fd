// What a test gives to the doubles: looked at when it is given, so that a mistake is not found out in the middle.

import {
	amountOrNone,
	anyText,
	callback,
	checkInput,
	either,
	fields,
	flag,
	listOf,
	must,
	oneOf,
	record,
	text,
} from "../lib/input-schema.ts";

const replies = listOf(record);

const agents = must<object>(
	"an object of lists of replies",
	(value) =>
		typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(Array.isArray),
);

const script = either(Array.isArray, replies, fields({ agents, afterEnd: oneOf("repeat", "fail").optional() }));

const clock = must<object>(
	"a clock (createFakeClock makes one)",
	(value) => typeof (value as { now?: unknown } | null)?.now === "function",
);

const serverOptions = fields({
	script: script.optional(),
	handler: callback.optional(),
	apiKey: text.optional(),
	models: listOf(anyText).optional(),
	checkPairing: flag.optional(),
	clock: clock.optional(),
});

/** @throws ERR_BAD_OPTION */
export function checkServerOptions(options: unknown): void {
	checkInput(serverOptions, options, { where: "startFakeAnthropicServer", code: "ERR_BAD_OPTION" });
}

/** @throws ERR_BAD_INPUT */
export function checkMs(value: unknown, where: string): void {
	checkInput(amountOrNone, value, { where });
}

/** @throws ERR_BAD_INPUT */
export function checkRuleOptions(value: unknown): void {
	checkInput(fields({ checkPairing: flag }), value, { where: "findRequestFault" });
}
