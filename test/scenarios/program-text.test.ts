import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/supervisor.ts";

const run = promisify(execFile);
const library = (name: string) => JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);
const PROGRAM = `
	import { createSupervisor } from ${library("index")};
	import { scriptedModel } from ${library("testing")};
	const model = scriptedModel({ "*": [{ text: "found" }], lead: [{ text: "hello" }] });
	const supervisor = await createSupervisor({ stateDir: "state", warmThreads: 0, model });
	const run = await supervisor.spawn({ description: "look", prompt: "look" }).result();
	const answer = await (await supervisor.startLead()).prompt("hi");
	console.log(run.status, run.finalText, answer.finalText);
	await supervisor.close();`;

it("runs agents for a program that is given to node as text", async () => {
	const cwd = await temporaryFolder();
	const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", PROGRAM], { cwd });
	expect(stderr).toBe("");
	expect(stdout).toBe("COMPLETED found hello\n");
});
