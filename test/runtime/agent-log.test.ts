import { expect, it } from "vitest";
import { createAgentLog } from "../../src/runtime/thread/agent-log.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

function setUp() {
	const clock = createFakeClock();
	const lines: string[] = [];
	return { clock, lines, log: createAgentLog(clock, ({ text }) => void lines.push(text)) };
}

it("sends a thousand lines of a second, and then how many it left out", async () => {
	const { clock, lines, log } = setUp();
	for (let line = 1; line <= 1_500; line += 1) log("info", `line ${line}`);
	expect(lines.at(-1)).toBe("line 1000");
	await clock.advance(1_000);
	expect(lines.slice(1_000)).toEqual(["500 more lines in the same second are left out"]);
	log("info", "the next second");
	expect(lines.at(-1)).toBe("the next second");
});

it("cuts a long line, and makes text of what is none", () => {
	const { lines, log } = setUp();
	log("info", "x".repeat(10_000));
	log("info", { toString: () => "an object" } as never);
	expect(lines).toEqual([`${"x".repeat(8_192)}…`, "an object"]);
});
