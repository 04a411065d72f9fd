import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

/** What keeps a process alive. */
const handles = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort" || kind === "Worker");

it("leaves nothing behind when it is stopped halfway by a tool that cannot be used", async () => {
	const cwd = await temporaryFolder();
	const before = handles().length;
	const stateDir = join(cwd, ".state");
	const tool = defineTool({
		name: "odd",
		description: "odd",
		inputSchema: z.string() as never,
		execute: async () => "",
	});
	const warnings: string[] = [];
	const starting = createSupervisor({
		...{ cwd, stateDir, tools: [tool], sessionId: "the-session", warmThreads: 1 },
		model: { provider: "scripted", script: { agents: {} } },
		onWarning: (text) => void warnings.push(text),
	});
	await expect(starting).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
	await until(() => handles().length <= before);
	// The session it had begun is closed, and its state folder is free.
	const { supervisor } = await startSupervisor({ "*": [say("works")] }, { cwd, stateDir, resume: "the-session" });
	expect(await supervisor.spawn({ description: "d", prompt: "p" }).result()).toMatchObject({ finalText: "works" });
	expect(warnings).toEqual([]);
});
