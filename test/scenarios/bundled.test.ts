// A program that is bundled, as README.md says it: with Clowder outside of the bundle nothing is needed; inside, three
// packages stay outside and the folder dist/workers goes along.

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/supervisor.ts";

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const BUNDLER = join(REPOSITORY, "node_modules", "esbuild", "bin", "esbuild");
const PROGRAM = `
	import { createSupervisor, scriptedModel } from "clowder";
	export async function main(more) {
		const call = { toolUses: [{ name: "grep", input: { pattern: "needle", path: "hay.txt" } }] };
		const model = scriptedModel({ lead: [{ text: "hello" }], "*": [call, { text: "found" }] });
		const supervisor = await createSupervisor({ stateDir: "state", warmThreads: 0, model, ...more });
		try {
			const run = await supervisor.spawn({ description: "look", prompt: "look" }).result();
			const answer = await (await supervisor.startLead()).prompt("hi");
			console.log(JSON.stringify([run.status, run.finalText, run.record.usage.toolCalls, answer.finalText]));
		} finally {
			await supervisor.close();
		}
	}`;

/** The flags of README.md. */
async function bundlerFlags(): Promise<{ readonly externals: string[]; readonly banner: string }> {
	const readme = await readFile(join(REPOSITORY, "README.md"), "utf8");
	const banner = /'(--banner:js=.*)'/.exec(readme)?.[1] ?? "";
	return { externals: readme.match(/--external:(?!clowder)\S+/g) ?? [], banner };
}

async function newProgram(): Promise<string> {
	const folder = await temporaryFolder();
	await mkdir(join(folder, "out"));
	await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
	await writeFile(join(folder, "hay.txt"), "a needle\n");
	await writeFile(join(folder, "package.json"), "{}");
	await writeFile(join(folder, "main.mjs"), PROGRAM);
	await writeFile(join(folder, "esm.mjs"), 'import { main } from "./main.mjs"; await main({});');
	await writeFile(join(folder, "cjs.cjs"), 'require("./main.mjs").main({ workerUrl: process.argv[2] });');
	return folder;
}

const bundle = (folder: string, entry: string, flags: readonly string[]) =>
	run(
		BUNDLER,
		[entry, "--bundle", "--platform=node", "--log-level=error", `--alias:clowder=${REPOSITORY}dist/index.js`, ...flags],
		{
			cwd: folder,
		},
	);

const play = async (folder: string, ...args: string[]) => {
	const { stdout } = await run(process.execPath, args, { cwd: folder });
	return JSON.parse(stdout) as unknown;
};

it("works as an ES module with the entries beside it", async () => {
	const folder = await newProgram();
	const { externals, banner } = await bundlerFlags();
	expect(externals).toEqual(["--external:lmdb", "--external:piscina", "--external:@vscode/ripgrep"]);
	await bundle(folder, "esm.mjs", [...externals, "--format=esm", banner, "--outfile=out/app.mjs"]);
	const missing = run(process.execPath, ["out/app.mjs"], { cwd: folder });
	await expect(missing).rejects.toMatchObject({ stderr: expect.stringContaining("There is no thread entry") });
	await cp(join(REPOSITORY, "dist", "workers"), join(folder, "out", "workers"), { recursive: true });
	expect(await play(folder, "out/app.mjs")).toEqual(["COMPLETED", "found", 1, "hello"]);
});

it("works in CommonJS when it is told where the entries are", async () => {
	const folder = await newProgram();
	const { externals } = await bundlerFlags();
	await bundle(folder, "cjs.cjs", [...externals, "--format=cjs", "--outfile=out/app.cjs"]);
	const lost = run(process.execPath, ["out/app.cjs"], { cwd: folder });
	await expect(lost).rejects.toMatchObject({ stderr: expect.stringContaining("option workerUrl") });
	expect(await play(folder, "out/app.cjs", join(REPOSITORY, "dist", "workers"))).toEqual([
		"COMPLETED",
		"found",
		1,
		"hello",
	]);
});
