// The command where folders are not as they should be: a line that says so, and an end.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/supervisor.ts";

describe("clowder", () => {
	it("says that the folder it was started in is gone", async () => {
		const gone = join(await temporaryFolder(), "gone");
		for (const args of ["-p --model offline hi", "demo"]) {
			const { status, stderr } = spawnSync(
				"bash",
				["-c", `mkdir -p "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" ${args}`, "-", gone, process.execPath, CLI],
				{ encoding: "utf8", env: { PATH: process.env.PATH ?? "", HOME: "/nowhere" } },
			);
			expect([status, stderr]).toEqual([
				1,
				"clowder: The folder that this process works in does not exist any more. Change to an existing one and start again\n",
			]);
		}
	});

	it.runIf(process.platform === "linux")("ends where no state can be kept", async () => {
		const cwd = await temporaryFolder();
		const said = await runCli(["-p", "--model", "offline", "--state-dir", "/proc/nope", "hi"], { cwd });
		expect(said).toEqual({
			code: 1,
			stdout: "",
			stderr:
				"clowder: State in /proc/nope cannot be used: no folder can be made in /proc. Check the folder, or name another state folder\n",
		});
		const home = await runCli(["-p", "--model", "offline", "hi"], { cwd, env: { HOME: "/proc" } });
		expect([home.code, home.stderr]).toEqual([1, expect.stringContaining("no folder can be made in /proc")]);
	});

	it("names the command to one who came by npm start without a key", async () => {
		const cwd = await temporaryFolder();
		const said = await runCli(["-p", "hi"], { cwd, env: { npm_lifecycle_event: "start" } });
		expect([said.code, said.stderr]).toEqual([1, expect.stringContaining("npm start -- --model offline")]);
	});
});
