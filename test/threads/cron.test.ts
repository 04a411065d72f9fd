import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { call, say, startSupervisor, until } from "../support/supervisor.ts";

/** The real clock, except that it is some minutes later whenever the test says so, and that each second is short. */
function movableClock() {
	let aheadMs = 0;
	return {
		clock: {
			...systemClock,
			now: () => systemClock.now() + aheadMs,
			every: (ms: number, callback: () => void) => systemClock.every(ms === 1_000 ? 20 : ms, callback),
		},
		skipMinutes: (minutes: number) => {
			aheadMs += minutes * 60_000;
		},
	};
}

describe("A scheduled prompt", () => {
	it("is made by a tool, wakes the idle lead, and asks nobody in its turn or in that of a subagent", async () => {
		const { clock, skipMinutes } = movableClock();
		const asked: string[] = [];
		const { supervisor } = await startSupervisor(
			{
				lead: [
					call("schedule_cron", { cron: "* * * * *", prompt: "CHECK IT", recurring: false }),
					say("Scheduled."),
					call("write_file", { path: "a.txt", content: "a" }),
					call("task", { description: "sub", prompt: "write", run_in_background: false }),
					call("ask_user", { question: "What now?" }),
					say("Checked."),
					call("write_file", { path: "a.txt", content: "a" }),
					say("Written."),
				],
				sub: [call("write_file", { path: "b.txt", content: "b" }), say("sub is done")],
			},
			{
				clock,
				permissions: {
					mode: "default",
					allow: ["schedule_cron"],
					onRequest: async ({ toolName }) => {
						asked.push(toolName);
						return "once";
					},
				},
				askUser: async () => "an answer",
			},
		);
		const lead = await supervisor.startLead();
		const woken: string[] = [];
		const history: string[] = [];
		lead.on((event) => {
			if (event.type === "prompt-finished" && event.woken) woken.push(event.outcome.finalText);
			if (event.type === "history") history.push(...event.messagesJson);
		});
		await lead.prompt("schedule it");
		expect(supervisor.schedules.list()).toMatchObject([{ prompt: "CHECK IT", recurring: false, durable: true }]);
		skipMinutes(2);
		await until(() => woken.length === 1);
		expect(woken).toEqual(["Checked."]);
		expect(asked).toEqual([]);
		expect(supervisor.denials().map(({ tool_name }) => tool_name)).toEqual(["write_file", "write_file"]);
		const texts = history.join("\n");
		expect(texts).toContain("<scheduled-prompt schedule=");
		expect(texts).toContain("nobody can answer questions here");
		expect(texts.match(/<scheduled-prompt .*?CHECK IT/gs)).toHaveLength(1);
		expect(supervisor.schedules.list()).toEqual([]);
		expect(await lead.prompt("write it")).toMatchObject({ finalText: "Written." });
		expect(asked).toEqual(["write_file"]);
	});

	it("is told what is wrong with its five fields", async () => {
		const { supervisor } = await startSupervisor({
			lead: [call("schedule_cron", { cron: "0 25 * * *", prompt: "x" }), say("I see.")],
		});
		const lead = await supervisor.startLead();
		const history: string[] = [];
		lead.on((event) => void (event.type === "history" && history.push(...event.messagesJson)));
		await lead.prompt("schedule it");
		expect(history.join("\n")).toContain("hour must be from 0 to 23, not 25");
	});

	it("comes due while the lead is busy and fires once when it rests, whether recurring or not, durable or not", async () => {
		const { clock, skipMinutes } = movableClock();
		const { supervisor, folder } = await startSupervisor(
			{
				lead: [
					call("bash", { command: "until [ -e go ]; do sleep 0.05; done" }),
					say("Worked."),
					...Array.from({ length: 6 }, () => say("Checked.")),
				],
			},
			{ clock },
		);
		const lead = await supervisor.startLead();
		const woken: string[] = [];
		const fired: string[] = [];
		lead.on((event) => {
			if (event.type === "prompt-finished" && event.woken) woken.push(event.outcome.finalText);
			if (event.type !== "history") return;
			for (const [, prompt] of event.messagesJson.join().matchAll(/<scheduled-prompt .*?((?:RECURRING|ONCE) \w+)/g)) {
				fired.push(prompt ?? "");
			}
		});
		for (const recurring of [true, false]) {
			for (const durable of [true, false]) {
				const prompt = `${recurring ? "RECURRING" : "ONCE"} ${durable ? "DURABLE" : "HERE"}`;
				await supervisor.schedules.add({ cron: "* * * * *", prompt, recurring, durable });
			}
		}
		const dueAt = Math.max(...supervisor.schedules.list().map(({ nextAt }) => nextAt));
		const working = lead.prompt("work");
		await until(() => lead.busy);
		skipMinutes(5);
		// All have come due: they are moved on, or gone.
		await until(() => supervisor.schedules.list().every(({ nextAt }) => nextAt > dueAt));
		expect(fired).toEqual([]);
		await writeFile(join(folder, "go"), "");
		expect(await working).toMatchObject({ finalText: "Worked.", woken: false });
		await until(() => woken.length === 4);
		expect(fired.toSorted()).toEqual(["ONCE DURABLE", "ONCE HERE", "RECURRING DURABLE", "RECURRING HERE"]);
		skipMinutes(5);
		await until(() => woken.length === 6);
		expect(fired.slice(4).toSorted()).toEqual(["RECURRING DURABLE", "RECURRING HERE"]);
		expect(supervisor.schedules.list().map(({ recurring }) => recurring)).toEqual([true, true]);
	});

	it("comes to a lead that rests, also while notices of its team wait for its next turn", async () => {
		const { clock, skipMinutes } = movableClock();
		const { supervisor } = await startSupervisor(
			{
				lead: [say("ann rests"), say("Checked.")],
				ann: [say("ready"), call("complete_task", { task_id: "t1" }), say("done")],
			},
			{ clock },
		);
		const lead = await supervisor.startLead();
		const woken: string[] = [];
		lead.on((event) => void (event.type === "prompt-finished" && woken.push(event.outcome.finalText)));
		await supervisor.team.spawn({ name: "ann", role: "helps", prompt: "wait" });
		await until(() => woken.length === 1);
		await supervisor.tasks.create({ title: "a task" });
		await until(() => supervisor.auto.completed === 1);
		await lead.settled();
		expect(woken).toEqual(["ann rests"]);
		await supervisor.schedules.add({ cron: "* * * * *", prompt: "CHECK IT", recurring: false });
		skipMinutes(2);
		await until(() => woken.length === 2);
		expect(woken).toEqual(["ann rests", "Checked."]);
	});
});
