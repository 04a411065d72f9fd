// A folder as people have it, with files that count, and a supervisor in it over a server that speaks the Messages API.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import type { FakeScript } from "../../src/testing/fake-reply.ts";

/** Closed when the test ends. @param files by their path in the folder */
export async function openTrusted(
	cwd: string,
	files: Readonly<Record<string, string>>,
	script: FakeScript,
	more: Partial<SupervisorOptions> = {},
) {
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(cwd, path)), { recursive: true });
		await writeFile(join(cwd, path), text);
	}
	const server = await startFakeAnthropicServer({ script });
	onTestFinished(() => server.close());
	const warnings: string[] = [];
	const supervisor = await createSupervisor({
		cwd,
		stateDir: join(cwd, ".state"),
		env: { PATH: process.env.PATH, HOME: join(cwd, ".home") },
		model: { provider: "anthropic", model: "claude-test", baseUrl: server.url, apiKey: "none" },
		project: { files: "trusted" },
		warmThreads: 0,
		onWarning: (text) => void warnings.push(text),
		...more,
	});
	onTestFinished(() => supervisor.close());
	return { supervisor, server, warnings };
}
