import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	findHistoryFaults,
	HistoryCheck,
	INTERRUPTED_RESULT,
	repairHistory,
} from "../../src/agent/history-invariants.ts";
import type { AssistantBlock, Message, UserBlock } from "../../src/wire/conversation.ts";

const user = (...content: UserBlock[]): Message => ({ role: "user", content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words }) as const;
const call = (id: string) => ({ type: "tool_use", id, name: "read", input: {} }) as const;
const result = (id: string, content = "ok") => ({ type: "tool_result", tool_use_id: id, content }) as const;
const rules = (messages: Message[]) => findHistoryFaults(messages).map((fault) => `${fault.index} ${fault.rule}`);

// A valid history: a prompt, then turns with 0 to 4 calls, ending with words of the model.
const validHistory: fc.Arbitrary<Message[]> = fc
	.array(fc.record({ calls: fc.integer({ min: 0, max: 4 }), says: fc.boolean(), note: fc.boolean() }), { maxLength: 8 })
	.map((turns) => {
		const messages: Message[] = [user(text("goal"))];
		for (const [turn, { calls, says, note }] of turns.entries()) {
			const ids = Array.from({ length: calls }, (_, index) => `call_${turn}_${index}`);
			messages.push(assistant(...(says || calls === 0 ? [text(`turn ${turn}`)] : []), ...ids.map(call)));
			messages.push(user(...ids.map((id) => result(id)), ...(note || calls === 0 ? [text("go on")] : [])));
		}
		return [...messages, assistant(text("done"))];
	});

describe("HistoryCheck", () => {
	test("finds in a history that comes piece by piece what it finds in the whole", () => {
		fc.assert(
			fc.property(validHistory, fc.nat(20), fc.nat(20), fc.nat(20), (messages, left, twice, cut) => {
				// One message lost and one said twice: whatever that breaks.
				const broken = messages.filter((_, index) => index !== left % messages.length);
				broken.push(...broken.slice(twice % messages.length, (twice % messages.length) + 1));
				const check = new HistoryCheck();
				const pieces = [...check.add(broken.slice(0, cut)), ...check.add(broken.slice(cut))];
				expect(pieces).toEqual(findHistoryFaults(broken, { callsMayBeOpen: true }));
			}),
		);
	});
});

describe("findHistoryFaults", () => {
	test("finds nothing in a valid history", () => {
		fc.assert(fc.property(validHistory, (messages) => rules(messages).length === 0));
	});

	test("names each broken rule and the message that breaks it", () => {
		expect(rules([assistant(text("hi"))])).toEqual(["0 first-is-user"]);
		expect(rules([user(text("a")), user(text("b"))])).toEqual(["1 roles-alternate"]);
		expect(rules([user()])).toEqual(["0 content-is-not-empty"]);
		expect(rules([user(text(" \n"))])).toEqual(["0 text-is-not-blank"]);
		expect(rules([user(text("a")), assistant(call("x"))])).toEqual(["1 calls-are-answered-at-once"]);
		expect(rules([user(text("a")), assistant(call("x")), user(text("b"))])).toEqual(["2 calls-are-answered-at-once"]);
		expect(rules([user(text("a"), result("x"))])).toEqual(["0 results-have-calls", "0 results-come-first"]);
		expect(rules([user(text("a")), assistant(call("x")), user(result("x"), result("x"))])).toEqual([
			"2 one-result-per-call",
		]);
		expect(rules([user(text("a")), assistant(call("x")), user(text("b"), result("x"))])).toEqual([
			"2 results-come-first",
		]);
		expect(rules([user(text("a")), assistant(call("x"), call("y")), user(result("y"), result("x"))])).toEqual([
			"2 results-in-order",
		]);
		const again = [user(text("a")), assistant(call("x")), user(result("x")), assistant(call("x")), user(result("x"))];
		expect(rules(again)).toEqual(["3 call-ids-are-unique"]);
	});

	test("allows calls at the very end to be open while tools run, and nowhere else", () => {
		const open = [user(text("a")), assistant(call("x"))];
		expect(findHistoryFaults(open, { callsMayBeOpen: true })).toEqual([]);
		expect(findHistoryFaults([...open, user(text("b"))], { callsMayBeOpen: true })).toHaveLength(1);
	});
});

describe("repairHistory", () => {
	test("leaves a valid history as it is, with the same objects", () => {
		fc.assert(
			fc.property(validHistory, (messages) => {
				const repaired = repairHistory(messages);
				expect(repaired).toHaveLength(messages.length);
				expect(repaired.every((message, index) => message === messages[index])).toBe(true);
			}),
		);
	});

	test("makes any cut of a valid history valid", () => {
		fc.assert(
			fc.property(validHistory, fc.nat(20), fc.nat(20), (messages, from, length) => {
				expect(rules(repairHistory(messages.slice(from, from + length)))).toEqual([]);
			}),
		);
	});

	test("makes any shuffle, doubling and loss of messages and blocks valid", () => {
		const shuffled = validHistory.chain((messages) =>
			fc.array(
				fc
					.constantFrom(...messages)
					.chain((message) =>
						fc
							.subarray([...message.content] as AssistantBlock[])
							.map((content) => ({ role: message.role, content }) as Message),
					),
				{ maxLength: 12 },
			),
		);
		fc.assert(
			fc.property(shuffled, (messages) => {
				const repaired = repairHistory(messages);
				expect(rules(repaired)).toEqual([]);
				expect(repairHistory(repaired)).toEqual(repaired);
			}),
		);
	});

	test("answers calls that never finished with an error and keeps the results that are there", () => {
		const repaired = repairHistory([
			user(text("a")),
			assistant(call("x"), call("y")),
			user(result("y", "found"), text("and now?")),
		]);
		expect(repaired.at(-1)).toEqual(
			user(
				{ type: "tool_result", tool_use_id: "x", content: INTERRUPTED_RESULT, is_error: true },
				result("y", "found"),
				text("and now?"),
			),
		);
	});

	test("closes calls at the end, so that they are not run again after a crash", () => {
		const repaired = repairHistory([user(text("a")), assistant(call("x"))]);
		expect(repaired).toHaveLength(3);
		expect(rules(repaired)).toEqual([]);
	});
});
