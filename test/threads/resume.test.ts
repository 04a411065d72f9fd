import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import { call, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

/** Starts the lead and gathers what it says when it is woken. */
async function startLead(supervisor: Supervisor) {
	const woken: string[] = [];
	const lead = await supervisor.startLead();
	lead.on((event) => void (event.type === "prompt-finished" && event.woken && woken.push(event.outcome.finalText)));
	return { lead, woken };
}

describe("A session that is gone on with", () => {
	it("tells the lead once of a job and a subagent that ended with the former process", async () => {
		const cwd = await temporaryFolder();
		// Turn numbers go on after a resume, so one script holds what the lead says in all three processes.
		const lead = [
			call("bash", { command: "sleep 600", run_in_background: true }),
			call("task", { description: "sleeper", prompt: "sleep" }),
			say("Both run."),
			say("Both are gone."),
			say("Nothing new."),
		];
		const sleeper = [call("bash", { command: "sleep 600", timeout_ms: 600_000 })];
		const open = (resume?: string) =>
			startSupervisor({ lead, sleeper }, { cwd, ...(resume === undefined ? {} : { resume }) });
		const first = await open();
		const { sessionId } = first.supervisor;
		await (await startLead(first.supervisor)).lead.prompt("start both");
		await first.close();

		const second = await open(sessionId);
		expect(second.supervisor.sessionId).toBe(sessionId);
		const { woken } = await startLead(second.supervisor);
		await until(() => woken.length > 0);
		expect(woken).toEqual(["Both are gone."]);
		expect(second.supervisor.jobs.list()).toMatchObject([{ status: "killed", wasTold: true }]);
		await second.close();

		const third = await open("latest");
		expect(third.supervisor.sessionId).toBe(sessionId);
		const again = await startLead(third.supervisor);
		expect(await again.lead.prompt("and?")).toMatchObject({ finalText: "Nothing new." });
		expect(again.woken).toEqual([]);
		const transcript = await readFile(join(cwd, ".state", "transcripts", sessionId, "lead.jsonl"), "utf8");
		expect(transcript.match(/<task-notification>/g)).toHaveLength(2);
	});

	it("is refused while another supervisor has it open, and can be copied", async () => {
		const cwd = await temporaryFolder();
		const { supervisor } = await startSupervisor({ lead: [say("noted")] }, { cwd });
		const { lead } = await startLead(supervisor);
		await lead.prompt("my number is 7");
		expect(await supervisor.sessions()).toMatchObject([{ id: supervisor.sessionId, title: "my number is 7" }]);
		const resume = supervisor.sessionId;
		await expect(startSupervisor({ lead: [] }, { cwd, resume })).rejects.toMatchObject({ code: "ERR_SESSION_IN_USE" });
		const copy = await startSupervisor({ lead: [say("still known")] }, { cwd, resume, forkSession: true });
		expect(copy.supervisor.sessionId).not.toBe(resume);
		expect((await copy.supervisor.sessions()).map(({ title }) => title)).toContain("my number is 7");
	});
});
