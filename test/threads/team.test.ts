import { describe, expect, it } from "vitest";
import { call, say, startSupervisor, until } from "../support/supervisor.ts";

const spawn = (name: string, more: object = {}) => call("spawn_teammate", { name, role: "a helper", prompt: "begin", ...more });

describe("a teammate", () => {
	it("works in a thread of its own, rests, and is told to the lead, who is woken", async () => {
		const { supervisor } = await startSupervisor({
			lead: [spawn("researcher"), say("spawned"), say("heard of it")],
			researcher: [say("found three things")],
		});
		const lead = await supervisor.startLead();
		expect(await lead.prompt("go")).toMatchObject({ finalText: "spawned" });
		expect(await lead.settled()).toMatchObject({ finalText: "heard of it", woken: true });
		expect(supervisor.team.list()).toMatchObject([{ name: "researcher", role: "a helper", status: "IDLE" }]);
		const [told] = (await supervisor.team.log("researcher")).map((json) => JSON.parse(json));
		expect(told.content[0].text).toContain("You are 'researcher' in this team: a helper. The lead is called 'lead'.");
	});
});
