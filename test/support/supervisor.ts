import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import type { SupervisorOptions } from "../../src/runtime/options/options.ts";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import type { Script, ScriptedReply } from "../../src/wire/model-config.ts";

export const fixture = (name: string) => new URL(`../fixtures/tools/${name}`, import.meta.url);

const newFolder = () => mkdtemp(join(tmpdir(), "clowder-test-"));
const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** A folder that is gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
	const folder = await newFolder();
	onTestFinished(() => removeFolder(folder));
	return folder;
}

export interface TestSupervisor {
	readonly supervisor: Supervisor;
	readonly folder: string;
	readonly warnings: string[];
	close(): Promise<void>;
}

/** A real supervisor with real threads over a scripted model; whoever opens it closes it. */
export async function openSupervisor(
	agents: Script["agents"],
	options: SupervisorOptions = {},
): Promise<TestSupervisor> {
	const folder = options.cwd ?? (await newFolder());
	const warnings: string[] = [];
	const supervisor = await createSupervisor({
		cwd: folder,
		stateDir: join(folder, ".state"),
		model: { provider: "scripted", script: { agents } },
		permissions: { mode: "bypassPermissions" },
		warmThreads: 0,
		onWarning: (text) => void warnings.push(text),
		...options,
	});
	const close = async () => {
		await supervisor.close();
		if (options.cwd === undefined) await removeFolder(folder);
	};
	return { supervisor, folder, warnings, close };
}

/** The same, closed when the test ends. */
export async function startSupervisor(
	agents: Script["agents"],
	options: SupervisorOptions = {},
): Promise<TestSupervisor> {
	const opened = await openSupervisor(agents, options);
	onTestFinished(opened.close);
	return opened;
}

/** A reply that calls one tool. */
export const call = (name: string, input: unknown = {}, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
	toolUses: [{ name, input }],
	...more,
});

export const say = (text: string, more: Partial<ScriptedReply> = {}): ScriptedReply => ({ text, ...more });

/** Waits until a condition holds, looking often; fails by the test's own timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Whether a process is there and not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
	const { readFile } = await import("node:fs/promises");
	const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
	return status !== "" && !/\) Z /.test(status);
}
