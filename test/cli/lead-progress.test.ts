import { describe, expect, it } from "vitest";
import { showLeadEvents } from "../../src/cli/repl/lead-view.ts";
import { showProgress } from "../../src/cli/repl/progress.ts";
import type { LiveRegion } from "../../src/cli/terminal/region.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Lead } from "../../src/runtime/agents/lead.ts";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import type { RunEvent } from "../../src/supervision/live-run.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

function open() {
	const listeners: ((event: RunEvent) => void)[] = [];
	const printed: string[] = [];
	const live: (readonly string[])[] = [];
	const lead = { on: (listener: (event: RunEvent) => void) => void listeners.push(listener) } as unknown as Lead;
	const region = {
		columns: 30,
		print: (text: string) => void printed.push(text),
		update: (lines: readonly string[]) => void live.push(lines),
		clear: () => {},
	} as unknown as LiveRegion;
	const emit = (event: unknown) => {
		for (const listener of listeners) listener(event as RunEvent);
	};
	const say = (text: string) => emit({ type: "agent-event", event: { type: "text-delta", text } });
	return { lead, region, printed, live, emit, say };
}

describe("the lead's text", () => {
	const options = { colors: {} as Terminal["colors"], verbose: false, onRest: () => {} };

	it("appears row by row while a long paragraph comes in, and whole in the end", () => {
		const { lead, region, printed, emit, say } = open();
		showLeadEvents(lead, region, options);
		say("one two three four five six ");
		expect(printed).toEqual([]);
		say("seven eight nine ten");
		expect(printed).toEqual(["one two three four five six\n"]);
		say(" eleven twelve\nnext ");
		expect(printed.slice(1)).toEqual(["seven eight nine ten eleven twelve\n"]);
		emit({ type: "prompt-finished", outcome: { reason: "done" } });
		expect(printed.at(-1)).toBe("next \n");
	});

	it("keeps the indent of a list's item over the rows of it", () => {
		const { lead, region, printed, say } = open();
		showLeadEvents(lead, region, options);
		for (const word of "- one two three four five six seven eight nine ten eleven twelve".split(" ")) say(`${word} `);
		expect(printed).toEqual(["- one two three four five six\n", "  seven eight nine ten eleven\n"]);
	});
});

describe("the line of the lead's turn", () => {
	const supervisor = {
		status: () => ({ runs: [] }),
		on: () => () => {},
		team: { on: () => () => {} },
	} as unknown as Supervisor;

	it("is there from the first second of a turn to its end, and not while the person is asked", async () => {
		const clock = createFakeClock();
		const { lead, region, live, emit } = open();
		let isAsking = false;
		showProgress(supervisor, region, { lead, isAsking: () => isAsking, clock });
		emit({ type: "prompt-started" });
		await clock.advance(900);
		expect(live.at(-1)).toEqual([]);
		await clock.advance(1_200);
		expect(live.at(-1)).toEqual(["  working ... 2s (Esc interrupts)"]);
		isAsking = true;
		await clock.advance(100);
		expect(live.at(-1)).toEqual([]);
		isAsking = false;
		await clock.advance(100);
		expect(live.at(-1)).toEqual(["  working ... 2s (Esc interrupts)"]);
		emit({ type: "prompt-finished", outcome: { reason: "done" } });
		expect(live.at(-1)).toEqual([]);
		expect(clock.pending()).toBe(0);
	});
});
