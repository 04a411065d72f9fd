import { expect, test } from "vitest";
import { createConversation } from "../../src/agent/conversation.ts";
import type { Message } from "../../src/wire/conversation.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const assistant = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const call = (id: string): Message => ({
	role: "assistant",
	content: [{ type: "tool_use", id, name: "read", input: {} }],
});

function build(history: readonly string[] = []) {
	const commits: { json: readonly string[]; acknowledged: readonly string[]; replaces: boolean }[] = [];
	const problems: string[] = [];
	const conversation = createConversation({
		history,
		onCommit: (json, acknowledged, replaces) => void commits.push({ json, acknowledged, replaces }),
		onProblem: (detail) => void problems.push(detail),
	});
	return { conversation, commits, problems };
}

test("tells main only what is new, with the envelopes that are now part of it", () => {
	const { conversation, commits } = build();
	conversation.commit([user("a")], []);
	conversation.commit([assistant("b"), user("c")], ["env_1"]);
	expect(commits).toEqual([
		{ json: [JSON.stringify(user("a"))], acknowledged: [], replaces: false },
		{ json: [JSON.stringify(assistant("b")), JSON.stringify(user("c"))], acknowledged: ["env_1"], replaces: false },
	]);
});

test("keeps the text of a loaded message byte for byte", () => {
	const odd = '{ "role":"user",  "content":[{"text":"a","type":"text"}] }';
	expect(build([odd]).conversation.messagesJson).toEqual([odd]);
});

test("serialises a message once, also when others are replaced around it", () => {
	let serialised = 0;
	const toJSON = () => {
		serialised += 1;
		return assistant("kept");
	};
	const counted = { ...assistant("kept"), toJSON };
	const { conversation } = build();
	conversation.commit([user("a")], []);
	conversation.commit([counted], []);
	conversation.commit([user("b")], []);
	conversation.replaceAll([user("short"), counted]);
	expect(serialised).toBe(1);
});

test("joins a message of the same role to the last and sends the whole history anew", () => {
	const { conversation, commits } = build();
	conversation.commit([user("a")], []);
	conversation.commit([user("b")], ["env_2"]);
	const joined = '{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}';
	expect(commits.at(-1)).toEqual({ json: [joined], acknowledged: ["env_2"], replaces: true });
});

test("refuses a commit that breaks a rule and changes nothing", () => {
	const { conversation, commits } = build();
	conversation.commit([user("a"), call("x")], []);
	expect(() => conversation.commit([user("b")], [])).toThrow("Message 3 of the conversation cannot be committed");
	expect(conversation.messages).toHaveLength(2);
	expect(commits).toHaveLength(1);
});

test("replaces lone halves of surrogate pairs, which the API refuses", () => {
	const { conversation } = build();
	conversation.commit([user("broken \ud83d, whole \u{1f600}, escaped \\ud83d")], []);
	expect(conversation.messages[0]).toEqual(user("broken \ufffd, whole \u{1f600}, escaped \\ud83d"));
	expect(JSON.parse(conversation.messagesJson[0] ?? "")).toEqual(conversation.messages[0]);
});

test("repairs a loaded history, says what was wrong, and sends all of it with the next commit", () => {
	const history = [JSON.stringify(user("a")), JSON.stringify(call("x")), '{"role":"assist'];
	const { conversation, commits, problems } = build(history);
	expect(problems).toEqual(["A stored message is not a JSON object", "Message 2: No results for x"]);
	expect(conversation.messages).toHaveLength(3);
	conversation.commit([assistant("b")], []);
	expect(commits).toHaveLength(1);
	expect(commits[0]?.replaces).toBe(true);
	expect(commits[0]?.json).toHaveLength(4);
	conversation.commit([user("c")], []);
	expect(commits[1]?.replaces).toBe(false);
});

test("reads text in the place of blocks and leaves out blocks it cannot use", () => {
	const history = [
		'{"role":"user","content":"plain"}',
		'{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"x","name":"read"}]}',
		'{"role":"system","content":"no"}',
	];
	const { conversation, problems } = build(history);
	expect(conversation.messages).toEqual([user("plain"), assistant("b")]);
	expect(problems).toEqual([
		"A stored message has text in the place of blocks",
		"1 blocks of a stored message cannot be used",
		"A stored message has the role 'system'",
	]);
});

test("empties the history for /clear", () => {
	const { conversation, commits } = build([JSON.stringify(user("a"))]);
	conversation.replaceAll([]);
	expect(conversation.messagesJson).toEqual([]);
	expect(commits).toEqual([{ json: [], acknowledged: [], replaces: true }]);
});

test("judges what comes after a refused commit as if that had never been tried", () => {
	const { conversation, commits } = build([JSON.stringify(user("a"))]);
	const twice: Message = { role: "assistant", content: [...call("x").content, ...call("x").content] as never };
	expect(() => conversation.commit([twice], [])).toThrow("Id x is used twice");
	conversation.commit([call("x")], []);
	conversation.commit([{ role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "ok" }] }], []);
	expect(() => conversation.commit([call("x")], [])).toThrow("Message 4 of the conversation cannot be committed");
	expect(commits).toHaveLength(2);
	expect(conversation.messages).toHaveLength(3);
});
