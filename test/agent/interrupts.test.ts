import { expect, test } from "vitest";
import { INTERRUPTED_RESULT } from "../../src/agent/history-invariants.ts";
import { InterruptReason } from "../../src/agent/interrupt-reason.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { createDeferred } from "../../src/lib/deferred.ts";
import { calls, envelope, fakeAgent, NEVER_ABORTS, requestFaults, says, tool } from "./fake-deps.ts";

const INTERRUPTED_NOTE =
	"<system-reminder>\nThis was interrupted here. Do not go on with it unless you are asked to.\n</system-reminder>";

test("stops during 3 parallel tools: finished results stay, the others are answered, and the next prompt is valid", async () => {
	const controller = new AbortController();
	const lastStarted = createDeferred();
	const agent = fakeAgent({
		plays: [calls(["a", "quick"], ["b", "polite"], ["c", "deaf"]), says("ok")],
		tools: [
			tool("quick", () => "quick result", { readOnly: true }),
			tool(
				"polite",
				(_input, { signal }) =>
					new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
				{ readOnly: true },
			),
			tool(
				"deaf",
				() => {
					lastStarted.resolve();
					return new Promise(() => {});
				},
				{ readOnly: true },
			),
		],
	});
	const running = runPrompt(agent.deps, "go", controller.signal);
	await lastStarted.promise;
	await agent.clock.advance(0);
	controller.abort(new InterruptReason("Ctrl-C"));
	await agent.clock.advance(1_000);
	expect(await running).toEqual({ reason: "interrupted", finalText: "", error: "Ctrl-C" });
	expect(agent.conversation.messages.at(-1)?.content).toEqual([
		{ type: "tool_result", tool_use_id: "a", content: "quick result" },
		{ type: "tool_result", tool_use_id: "b", content: INTERRUPTED_RESULT, is_error: true },
		{ type: "tool_result", tool_use_id: "c", content: INTERRUPTED_RESULT, is_error: true },
		{ type: "text", text: INTERRUPTED_NOTE },
	]);
	await runPrompt(agent.deps, "now something else", NEVER_ABORTS);
	expect(requestFaults(agent)).toEqual([]);
	expect(agent.clock.pending()).toBe(0);
});

test("does not start the calls that are left, and says that they did not run", async () => {
	const controller = new AbortController();
	const ran: string[] = [];
	const agent = fakeAgent({
		plays: [calls(["a", "one"], ["b", "two"])],
		tools: [
			tool("one", () => {
				ran.push("one");
				controller.abort(new Error("deadline"));
				return "kept";
			}),
			tool("two", () => {
				ran.push("two");
				return "no";
			}),
		],
	});
	expect(await runPrompt(agent.deps, "go", controller.signal)).toEqual({
		reason: "cancelled",
		finalText: "",
		error: "deadline",
	});
	expect(ran).toEqual(["one"]);
	expect(agent.conversation.messages.at(-1)?.content).toEqual([
		{ type: "tool_result", tool_use_id: "a", content: "kept" },
		{
			type: "tool_result",
			tool_use_id: "b",
			content: "Error: the call did not run: it was interrupted first",
			is_error: true,
		},
	]);
});

test("does not run a call whose permission came after the interrupt", async () => {
	const controller = new AbortController();
	let ran = false;
	const agent = fakeAgent({
		plays: [calls(["a", "write"])],
		tools: [
			tool("write", () => {
				ran = true;
				return "written";
			}),
		],
		authorize: async () => {
			controller.abort(new InterruptReason("Ctrl-C"));
			return { decision: "allow" };
		},
	});
	expect((await runPrompt(agent.deps, "go", controller.signal)).reason).toBe("interrupted");
	expect(ran).toBe(false);
	expect(agent.conversation.messages.at(-1)?.content[0]).toMatchObject({
		content: "Error: the call did not run: it was interrupted first",
	});
});

test("says that a call did not run when the wait for its permission was interrupted or never ends", async () => {
	for (const settle of [true, false]) {
		const controller = new AbortController();
		const asked = createDeferred<void>();
		const agent = fakeAgent({
			plays: [calls(["a", "write"])],
			tools: [tool("write", () => "written")],
			authorize: (_call, _hook, signal) => {
				asked.resolve();
				return new Promise((_resolve, reject) => {
					if (settle) signal.addEventListener("abort", () => reject(signal.reason));
				});
			},
		});
		const running = runPrompt(agent.deps, "go", controller.signal);
		await asked.promise;
		controller.abort(new Error("stop"));
		await agent.clock.advance(1_000);
		expect((await running).reason).toBe("cancelled");
		expect(agent.conversation.messages.at(-1)?.content[0]).toMatchObject({
			content: "Error: the call did not run: it was interrupted first",
		});
	}
});

test("drops what a deaf tool returns too late: no hook, no event, no change of the history", async () => {
	const controller = new AbortController();
	const late = createDeferred<string>();
	const agent = fakeAgent({
		plays: [
			() => {
				queueMicrotask(() => controller.abort(new Error("stop")));
				return calls(["a", "deaf"]);
			},
		],
		tools: [tool("deaf", () => late.promise)],
		limits: { graceMs: 500 },
	});
	const fired: string[] = [];
	agent.hooks.on("PostToolUse", ({ toolUseId }) => {
		fired.push(toolUseId);
		return { kind: "continue" };
	});
	const running = runPrompt(agent.deps, "go", controller.signal);
	await agent.clock.advance(250);
	await running;
	const [history, events] = [agent.conversation.messages, agent.events.length];
	late.resolve("too late");
	await agent.clock.advance(1);
	expect(fired).toEqual([]);
	expect(agent.conversation.messages).toBe(history);
	expect(agent.events).toHaveLength(events);
});

test("stops a model call at once, and tells the model later so that mail does not revive it", async () => {
	const controller = new AbortController();
	const agent = fakeAgent({
		plays: [
			() => {
				controller.abort(new InterruptReason("Ctrl-C"));
				return new Promise(() => {});
			},
			says("noted"),
		],
	});
	expect((await runPrompt(agent.deps, "delete it all", controller.signal)).reason).toBe("interrupted");
	agent.inbox.push(envelope());
	await runPrompt(agent.deps, undefined, NEVER_ABORTS);
	expect(agent.lastTexts().slice(0, 2)).toEqual(["delete it all", INTERRUPTED_NOTE]);
	expect(requestFaults(agent)).toEqual([]);
});

test("gives every tool a signal that aborts with the prompt's", async () => {
	const controller = new AbortController();
	const seen: unknown[] = [];
	const agent = fakeAgent({
		plays: [calls(["a", "watch"])],
		tools: [
			tool("watch", (_input, { signal }) => {
				seen.push(signal.aborted);
				controller.abort(new Error("why"));
				seen.push(signal.aborted, signal.reason);
				return "ok";
			}),
		],
	});
	await runPrompt(agent.deps, "go", controller.signal);
	expect(seen).toEqual([false, true, new Error("why")]);
});

test("goes on from a history that a crash cut between call and result without running the call again", async () => {
	let ran = 0;
	const agent = fakeAgent({
		history: [
			JSON.stringify({ role: "user", content: [{ type: "text", text: "pay" }] }),
			JSON.stringify({ role: "assistant", content: calls(["a", "pay"]).content }),
		],
		plays: [says("checked")],
		tools: [tool("pay", () => String(++ran))],
	});
	await runPrompt(agent.deps, "go on", NEVER_ABORTS);
	expect(ran).toBe(0);
	expect(agent.sent(0).at(-1)?.content[0]).toEqual({
		type: "tool_result",
		tool_use_id: "a",
		content: INTERRUPTED_RESULT,
		is_error: true,
	});
	expect(requestFaults(agent)).toEqual([]);
});

test("tells the hooks of a finished call to stop, and keeps the call's result", async () => {
	const controller = new AbortController();
	const asked = createDeferred();
	let told: unknown;
	const agent = fakeAgent({ plays: [calls(["a", "write"])], tools: [tool("write", () => "written")] });
	agent.hooks.on("PostToolUse", (_payload, signal) => {
		signal.addEventListener("abort", () => {
			told = signal.reason;
		});
		asked.resolve();
		return new Promise(() => {});
	});
	const running = runPrompt(agent.deps, "go", controller.signal);
	await asked.promise;
	controller.abort(new InterruptReason("Ctrl-C"));
	expect((await running).reason).toBe("interrupted");
	expect(told).toBe(controller.signal.reason);
	expect(agent.conversation.messages.at(-1)?.content[0]).toEqual({
		type: "tool_result",
		tool_use_id: "a",
		content: "written",
	});
});

test.each(["UserPromptSubmit", "Stop"] as const)(
	"tells a %s hook to stop, and takes its silence for no answer",
	async (event) => {
		const controller = new AbortController();
		const asked = createDeferred();
		let isTold = false;
		const agent = fakeAgent({ afterwards: says("ok") });
		agent.hooks.on(event, (_payload: unknown, signal: AbortSignal) => {
			signal.addEventListener("abort", () => {
				isTold = true;
			});
			asked.resolve();
			return new Promise(() => {});
		});
		const running = runPrompt(agent.deps, "go", controller.signal);
		await asked.promise;
		controller.abort(new InterruptReason("Ctrl-C"));
		const { reason, error } = await running;
		expect([isTold, reason, error]).toEqual(
			event === "Stop" ? [true, "done", undefined] : [true, "interrupted", "Ctrl-C"],
		);
		expect(requestFaults(agent)).toEqual([]);
	},
);
