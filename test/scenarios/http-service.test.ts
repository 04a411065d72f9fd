import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/supervisor.ts";

const SERVICE = fileURLToPath(new URL("../../examples/http-service.mjs", import.meta.url));

async function startService() {
	const folder = await temporaryFolder();
	await mkdir(join(folder, "work"));
	await writeFile(join(folder, "work", "a.txt"), "one\ntwo\n");
	const child = spawn(process.execPath, [SERVICE], {
		env: {
			PATH: process.env.PATH ?? "",
			HOME: folder,
			WORKSPACE: join(folder, "work"),
			STATE_DIR: join(folder, "state"),
			MODEL: "offline",
			PORT: "0",
		},
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
		child.once("exit", (code) => reject(new Error(`The service ended with code ${code}`)));
	});
	return { url, child };
}

it("answers over HTTP while agents work, streams their events, and ends in order", async () => {
	const { url, child } = await startService();
	const post = (body: unknown) => fetch(`${url}/runs`, { method: "POST", body: JSON.stringify(body) });
	const refused = await post({ description: "no prompt" });
	expect(refused.status).toBe(400);
	expect(await refused.json()).toMatchObject({ code: "ERR_BAD_INPUT" });
	for (const body of [null, "text", []]) {
		const odd = await post(body);
		expect([odd.status, await odd.json()]).toEqual([400, { error: "The body must be a JSON object" }]);
	}
	const unknown = await post({ description: "x", prompt: "y", agentType: "wizard" });
	expect(await unknown.json()).toMatchObject({ code: "ERR_UNKNOWN_AGENT_TYPE" });

	const accepted = await post({ description: "list", prompt: "list files in .", agentType: "explore" });
	expect(accepted.status).toBe(202);
	const { id } = (await accepted.json()) as { id: string };
	const events = await (await fetch(`${url}/runs/${id}/events`)).text();
	expect(events.startsWith("event: snapshot\n")).toBe(true);
	expect(events.trimEnd().split("\n\n").at(-1)).toMatch(/^event: ended\n/);
	expect(await (await fetch(`${url}/runs/${id}`)).json()).toMatchObject({ id, status: "COMPLETED", reason: "done" });
	expect(await (await fetch(`${url}/status`)).json()).toMatchObject({ running: 0, queued: 0, limit: 4 });

	const ended = new Promise((resolve) => child.once("exit", resolve));
	child.kill("SIGTERM");
	expect(await ended).toBe(0);
});
