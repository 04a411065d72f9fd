import { describe, expect, it } from "vitest";
import { type Actions, type Flags, parseAndRun } from "../../src/cli/flags.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";

async function parse(...argv: string[]) {
	let ran: { readonly action: string; readonly flags?: Flags } | undefined;
	const note = (action: string) => async (flags: Flags) => {
		ran = { action, flags };
		return 0;
	};
	const actions: Actions = {
		main: note("main"),
		doctor: note("doctor"),
		demo: async () => {
			ran = { action: "demo" };
			return 0;
		},
	};
	const said: string[] = [];
	const terminal = { out: (text: string) => said.push(text), err: (text: string) => said.push(text) };
	await parseAndRun(argv, "1", terminal as unknown as Terminal, actions).catch(() => undefined);
	return { ...ran, said: said.join("") };
}

describe("parseAndRun", () => {
	it("runs the doctor, unless an agent is asked", async () => {
		expect(await parse("doctor")).toMatchObject({ action: "doctor", flags: { print: false } });
		expect(await parse("-p", "doctor")).toMatchObject({ action: "main", flags: { print: true, prompt: "doctor" } });
		expect((await parse("doctor", "who")).said).toContain("too many arguments");
	});

	it.each([
		["Read,Bash", ["Read", "Bash"]],
		["Read Bash", ["Read", "Bash"]],
		["", []],
		["default", undefined],
	])("reads the list of --tools %j as %j", async (text, tools) => {
		expect((await parse("-p", "x", "--tools", text)).flags?.tools).toEqual(tools);
	});

	it("keeps a prompt that stands behind --", async () => {
		const { flags } = await parse("-p", "--allowedTools", "Bash(git *)", "Edit", "--", "do it");
		expect(flags).toMatchObject({ allowedTools: ["Bash(git *)", "Edit"], prompt: "do it" });
	});
});
