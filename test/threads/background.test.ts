import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Lead } from "../../src/runtime/agents/lead.ts";
import { call, isAlive, say, startSupervisor, until } from "../support/supervisor.ts";

const inBackground = (command: string, more: object = {}) =>
	call("bash", { command, run_in_background: true, ...more });

/** Everything the lead said when it was woken, and the texts its history got meanwhile. */
function follow(lead: Lead) {
	const woken: string[] = [];
	const history: string[] = [];
	lead.on((event) => {
		if (event.type === "prompt-finished" && event.woken) woken.push(event.outcome.finalText);
		if (event.type === "history") history.push(...event.messagesJson);
	});
	return { woken, history };
}

const pidIn = async (file: string) => {
	let text = "";
	await until(async () => {
		text = await readFile(file, "utf8").catch(() => "");
		return /^\d+\n$/.test(text);
	});
	return Number(text);
};

describe("A command in the background", () => {
	it("is answered at once with its id, and its end wakes the idle lead", async () => {
		const { supervisor, folder } = await startSupervisor({
			lead: [
				inBackground("until [ -e go ]; do sleep 0.05; done; echo built; exit 3"),
				say("It runs."),
				say("It failed."),
			],
		});
		const lead = await supervisor.startLead();
		const { woken, history } = follow(lead);
		expect(await lead.prompt("build it")).toMatchObject({ finalText: "It runs." });
		const [job] = supervisor.jobs.list();
		expect(job).toMatchObject({ status: "running", starters: ["lead"] });
		expect(history.join("\n")).toContain(`Job started: ${job?.id}`);
		expect(await lead.settled()).toMatchObject({ finalText: "It runs." });
		await writeFile(join(folder, "go"), "");
		await until(() => woken.length === 1);
		expect(woken).toEqual(["It failed."]);
		expect(history.join("\n")).toContain(`<task-id>${job?.id}</task-id>`);
		expect(history.join("\n")).toContain("failed (exit code 3)");
		expect(supervisor.jobs.list()).toMatchObject([{ status: "failed", exitCode: 3, wasTold: true }]);
		expect(await supervisor.jobs.output(job?.id ?? "")).toBe("built\n");
	});

	it("is shown and stopped by the job tools, whose mistakes are told", async () => {
		const { supervisor, folder } = await startSupervisor(
			{
				lead: [
					inBackground("echo $$ > pid; echo ready; sleep 600", { description: "the server" }),
					say("It runs."),
					call("job_output", { job_id: "job_0" }),
					say("There is none."),
				],
			},
			{ permissions: { mode: "default", allow: ["bash"] } },
		);
		const lead = await supervisor.startLead();
		const { history } = follow(lead);
		await lead.prompt("serve");
		const pid = await pidIn(join(folder, "pid"));
		const { id = "" } = supervisor.jobs.list()[0] ?? {};
		await lead.prompt("look");
		expect(history.join("\n")).toContain(`Error: there is no job 'job_0'. Jobs of this session: ${id}`);
		expect(await supervisor.jobs.stop(id)).toMatchObject({ status: "killed", reason: "stopped by the host" });
		await until(async () => !(await isAlive(pid)));
	});

	it("outlives the subagent that started it; its end is then told to the lead, and it ends with the session", async () => {
		const { supervisor, folder, close } = await startSupervisor({
			lead: [call("task", { description: "starter", prompt: "start it", run_in_background: false }), say("done")],
			starter: [inBackground("echo $$ > pid; sleep 600"), say("started")],
		});
		const lead = await supervisor.startLead();
		expect(await lead.prompt("go")).toMatchObject({ finalText: "done" });
		const pid = await pidIn(join(folder, "pid"));
		expect(await isAlive(pid)).toBe(true);
		const [job] = supervisor.jobs.list();
		expect(job?.starters).toEqual([expect.stringMatching(/^task_/), "lead"]);
		await close();
		expect(await isAlive(pid)).toBe(false);
	});
});
