import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

const module = fileURLToPath(new URL("../fixtures/model/dying-gateway.mjs", import.meta.url));
const model = { provider: "scripted", module } as const;
const spawning = (prompt: string) => ({ description: "agent", prompt });

it("costs the agents a delay when the gateway dies amid their calls", async () => {
	const mark = join(await temporaryFolder(), "died");
	const { supervisor, warnings } = await startSupervisor({}, { model, maxConcurrent: 4 });
	const lead = await supervisor.startLead();
	const runs = Array.from({ length: 3 }, () => supervisor.spawn(spawning("go")));
	const killer = supervisor.spawn(spawning(`<die>${mark}</die>`));
	expect(await lead.prompt("hello")).toMatchObject({ finalText: "answered" });
	for (const run of [...runs, killer]) {
		expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "answered" });
	}
	expect(warnings).toContain("The model gateway failed: the gateway dies");
	// Threads that slept through it connect to the successor, and so does the lead.
	const later = Array.from({ length: 4 }, () => supervisor.spawn(spawning("go")));
	for (const run of later) expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "answered" });
	expect(await lead.prompt("again")).toMatchObject({ finalText: "answered" });
});

it("fails the call that kills each gateway, and no other", async () => {
	const { supervisor } = await startSupervisor({}, { model, maxConcurrent: 2 });
	const killer = supervisor.spawn(spawning("<die>always</die>"));
	expect(await killer.result()).toMatchObject({
		status: "FAILED",
		error: expect.stringContaining("The model gateway is gone and did not come back"),
	});
	expect(await supervisor.spawn(spawning("go")).result()).toMatchObject({ status: "COMPLETED", finalText: "answered" });
});

it("fails calls at once, and says why, when the gateway has died too often", async () => {
	const { supervisor, warnings } = await startSupervisor({}, { model, maxConcurrent: 3 });
	const killers = Array.from({ length: 3 }, () => supervisor.spawn(spawning("<die>always</die>")));
	for (const run of killers) await run.result();
	const more = Array.from({ length: 12 }, () => supervisor.spawn(spawning("<die>always</die>")));
	for (const run of more) expect(await run.result()).toMatchObject({ status: "FAILED" });
	await until(() =>
		warnings.includes("The model gateway died 11 times within a minute and stays down; start again to go on"),
	);
	expect(await supervisor.spawn(spawning("go")).result()).toMatchObject({
		status: "FAILED",
		error: expect.stringContaining(
			"The model gateway died 11 times within a minute and stays down; start again to go on",
		),
	});
});
