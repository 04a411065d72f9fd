import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCredentials, checkNode, examine } from "../../src/runtime/doctor.ts";
import { temporaryFolder } from "../support/supervisor.ts";

describe("The doctor", () => {
	it("looks at everything, and finds this machine well", async () => {
		const outputDir = await temporaryFolder();
		const checks = await examine({
			modelConfig: { provider: "offline" },
			outputDir,
			maxThreads: 4,
			faults: [],
			withheld: [],
			env: { PATH: process.env.PATH ?? "" },
		});
		expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
			["Node.js", true],
			["git", true],
			["ripgrep", true],
			["State folder", true],
			["Agent threads", true],
			["Model", true],
			["Settings and agent files", true],
			["Trust", true],
		]);
	});

	it("names what is not well", async () => {
		const folder = await temporaryFolder();
		const outputDir = join(folder, "gone");
		const checks = await examine({
			modelConfig: { provider: "anthropic", model: "claude-x", baseUrl: "https://user:secret@example.com/v1" },
			outputDir,
			maxThreads: 1_000_000,
			faults: ["/p/.claude/settings.json: it is no JSON"],
			withheld: ["2 hooks in /p/.claude/settings.json"],
			env: { PATH: folder },
		});
		const found = Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]));
		expect(found).toEqual({
			git: expect.stringMatching(/ENOENT; worktrees and the project's root need it$/),
			"State folder": expect.stringContaining("ENOENT"),
			"Agent threads": expect.stringMatching(/^at most 1000000; this machine carries \d+$/),
			Model: "claude-x: no key for example.com; set ANTHROPIC_API_KEY",
			"Settings and agent files": "/p/.claude/settings.json: it is no JSON",
			Trust: "not in force until you trust the folder: 2 hooks in /p/.claude/settings.json",
		});
	});

	it("tells that a key is there, and never which", () => {
		const key = { provider: "anthropic", model: "m", apiKey: "sk-secret" } as const;
		expect(checkCredentials(key)).toEqual({ name: "Model", ok: true, detail: "m: an API key is set" });
		const token = { provider: "anthropic", model: "m", authToken: "t", baseUrl: "http://localhost:1" } as const;
		expect(checkCredentials(token).detail).toBe("m: an auth token is set for localhost:1");
	});

	it.each([
		["20.19.0", true],
		["22.1.0", true],
		["20.18.9", false],
		["18.20.0", false],
	])("judges Node %s: %s", (version, ok) => expect(checkNode(version).ok).toBe(ok));
});
