import { expect, test } from "vitest";
import { HostCalls } from "../../src/supervision/host-calls.ts";
import type { AgentCommand } from "../../src/wire/control.ts";

function open() {
	const posted: AgentCommand[] = [];
	const calls = new HostCalls((command) => void posted.push(command));
	const abort = new AbortController();
	const run = (id: string) =>
		calls.run({ toolUseId: id, toolName: "bash", input: { command: id } }, abort.signal).then(
			({ content }) => content,
			({ code }: { code: string }) => code,
		);
	return { posted, calls, abort, run };
}
const sent = (callId: number, id: string) => ({
	type: "run-tool",
	call: { callId, toolUseId: id, toolName: "bash", input: { command: id } },
});

test("waits for the thread, then sends what waited and what comes, each once", async () => {
	const { posted, calls, run } = open();
	const [a, b] = [run("a"), run("b")];
	expect(posted).toEqual([]);
	calls.open();
	const c = run("c");
	expect(posted).toEqual([sent(1, "a"), sent(2, "b"), sent(3, "c")]);
	calls.finish(2, { content: "of b", isError: false });
	calls.finish(1, { content: "of a", isError: true });
	calls.finish(3, { content: "of c", isError: false });
	calls.finish(3, { content: "forged", isError: false });
	calls.finish(9, { content: "forged", isError: false });
	expect(await Promise.all([a, b, c])).toEqual(["of a", "of b", "of c"]);
});

test("cancels in the thread what is aborted, and sends nothing of what was aborted before there was one", async () => {
	const early = open();
	const dropped = early.run("a");
	early.abort.abort();
	expect(await dropped).toBe("ERR_ABORTED");
	early.calls.open();
	expect(early.posted).toEqual([]);
	expect(await early.run("b")).toBe("ERR_ABORTED");

	const { posted, calls, abort, run } = open();
	calls.open();
	const running = run("a");
	abort.abort();
	expect(await running).toBe("ERR_ABORTED");
	expect(posted.at(-1)).toEqual({ type: "cancel-tool", callId: 1 });
});

test("fails what is open when the agent ends, and whatever comes later", async () => {
	const { calls, run } = open();
	calls.open();
	const running = run("a");
	calls.close();
	expect(await running).toBe("ERR_CLOSED");
	expect(await run("b")).toBe("ERR_CLOSED");
});
