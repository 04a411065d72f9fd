import { expect, test } from "vitest";
import { inFlags } from "../../src/cli/in-flags.ts";

test.each([
	[
		"No session of this project has the id 'x'. `supervisor.sessions()` lists them",
		"No session of this project has the id 'x'. `/resume` lists them",
	],
	[
		"There is no conversation in /a to go on with. Start one without the option `resume`",
		"There is no conversation in /a to go on with. Start one without --continue and --resume",
	],
	[
		"createSupervisor: 'maxConcurrent' must be a whole number from 1 to 2000, not 5000",
		"--max-concurrent must be a whole number from 1 to 2000, not 5000",
	],
	[
		"startLead: 'limits.turns' must be a whole number from 1 to 1000000, not 2000000",
		"--max-turns must be a whole number from 1 to 1000000, not 2000000",
	],
	["createSupervisor: 'agents[0].name' is bad", "createSupervisor: 'agents[0].name' is bad"],
	["the option `project.settings`:1: it is no JSON", "--settings:1: it is no JSON"],
])("says %s in the words of the command line", (ours, theirs) => {
	expect(inFlags(ours)).toBe(theirs);
});

test("names the whole command to one who came by npm start", () => {
	const text = "Set ANTHROPIC_API_KEY, or take the model that needs none (--model offline): fixed rules";
	expect(inFlags(text)).toBe(text);
	expect(inFlags(text, { npm_lifecycle_event: "start" })).toBe(
		"Set ANTHROPIC_API_KEY, or take the model that needs none (npm start -- --model offline): fixed rules",
	);
});
