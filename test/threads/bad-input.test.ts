// What a program passes is checked once, at the edge: nothing is started for what cannot be used.

import { expect, it } from "vitest";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import { startSupervisor } from "../support/supervisor.ts";

const trap = {
	get name(): string {
		throw new Error("a trap");
	},
};
const wanted = { description: "d", prompt: "p" };
const mate = { name: "ann", role: "helps", prompt: "begin" };
const turns = (where: string) => `${where}: 'limits.turns' must be a whole number from 1 to 1000000, not`;

const calls: readonly [string, (supervisor: Supervisor) => unknown, string][] = [
	["spawn", (s) => s.spawn({ ...wanted, limits: { turns: "x" } } as never), `${turns("spawn")} "x"`],
	["spawn", (s) => s.spawn({ ...wanted, limits: { turns: 1.5 } }), `${turns("spawn")} 1.5`],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, limits: { wallMs: 0 } }),
		"spawn: 'limits.wallMs' must be a number above 0, not 0",
	],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, limits: { heapMb: -5 } }),
		"spawn: 'limits.heapMb' must be a number above 0, not -5",
	],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, limits: { turn: 3 } } as never),
		"spawn: 'limits.turn' is unknown. Did you mean 'turns'?",
	],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, agentTyp: "a" } as never),
		"spawn: 'agentTyp' is unknown. Did you mean 'agentType'?",
	],
	[
		"spawn",
		(s) => s.spawn({ prompt: "p" } as never),
		"spawn: 'description' must be a text that is not empty, not absent",
	],
	["spawn", (s) => s.spawn({ ...wanted, prompt: " " }), `spawn: 'prompt' must be a text that is not empty, not " "`],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, signal: {} } as never),
		"spawn: 'signal' must be an AbortSignal, not an object",
	],
	["spawn", (s) => s.spawn({ ...wanted, isolation: "vm" } as never), `spawn: 'isolation' must be "worktree", not "vm"`],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, outputSchema: { _def: {} } }),
		"outputSchema cannot be used: it is a schema of zod 3. Use a schema of zod 4, or a JSON Schema object",
	],
	[
		"spawn",
		(s) => s.spawn({ ...wanted, outputSchema: new Proxy({}, { has: () => Boolean(trap.name) }) }),
		"outputSchema: what it is given cannot be read: a trap",
	],
	["spawn", (s) => s.spawn(undefined as never), "spawn: what it is given must be an object, not absent"],
	["startLead", (s) => s.startLead({ limits: { turns: 0 } }), `${turns("startLead")} 0`],
	[
		"startLead",
		(s) => s.startLead({ agent: "x" } as never),
		"startLead: 'agent' is unknown. Known: name, agentType, limits, model, systemPrompt, outputSchema",
	],
	[
		"team.spawn",
		(s) => s.team.spawn({ ...mate, role: "" }),
		`team.spawn: 'role' must be a text that is not empty, not ""`,
	],
	[
		"team.spawn",
		(s) => s.team.spawn({ ...mate, requiresPlan: true } as never),
		"team.spawn: 'requiresPlan' is unknown. Did you mean 'requirePlan'?",
	],
	["team.send", (s) => s.team.send("ann", 5 as never), "team.send: 'body' must be a text, not 5"],
	[
		"team.stop",
		(s) => s.team.stop(undefined as never),
		"team.stop: 'name' must be a text that is not empty, not absent",
	],
	[
		"team.on",
		(s) => s.team.on("change" as never, () => {}),
		"team.on: there is no event 'change'. Did you mean 'changed'?",
	],
	[
		"tasks.create",
		(s) => s.tasks.create({ title: "t", dependsOn: ["t1"] } as never),
		"tasks.create: 'dependsOn' is unknown. Known: id, title, description, blockedBy",
	],
	[
		"tasks.update",
		(s) => s.tasks.update("t1", { titel: "x" } as never),
		"tasks.update: 'titel' is unknown. Did you mean 'title'?",
	],
	[
		"schedules.add",
		(s) => s.schedules.add({ cron: "* * * * *", prompt: "p", recuring: false } as never),
		"schedules.add: 'recuring' is unknown. Did you mean 'recurring'?",
	],
	[
		"schedules.add",
		(s) => s.schedules.add({ prompt: "p" } as never),
		"schedules.add: 'cron' must be a text that is not empty, not absent",
	],
	[
		"bus.send",
		(s) => s.bus.send({ kind: "message", to: "lead", text: "x" } as never),
		"bus.send: 'body' must be a text, not absent",
	],
	[
		"permissions.addRule",
		(s) => s.permissions.addRule("dny" as never, "Bash"),
		`permissions.addRule: 'kind' must be one of "allow", "ask", "deny", not "dny"`,
	],
	["startLead", (s) => s.startLead(trap as never), "startLead: what it is given cannot be read: a trap"],
	["conversation", (s) => s.conversation(null as never), "conversation: what it is given must be an object, not null"],
	["stop", (s) => s.stop(Symbol("x") as never), "stop: 'id' must be an id of 1 to 200 characters, not Symbol(x)"],
	[
		"jobs.stop",
		(s) => s.jobs.stop(Symbol("x") as never),
		"jobs.stop: 'id' must be an id of 1 to 200 characters, not Symbol(x)",
	],
	["tasks.get", (s) => s.tasks.get({} as never), "tasks.get: 'id' must be an id of 1 to 200 characters, not an object"],
	[
		"tasks.remove",
		(s) => s.tasks.remove(undefined as never),
		"tasks.remove: 'id' must be an id of 1 to 200 characters, not absent",
	],
	[
		"tasks.openBlockers",
		(s) => s.tasks.openBlockers(null as never),
		"tasks.openBlockers: what it is given must be a task, not null",
	],
	[
		"schedules.cancel",
		(s) => s.schedules.cancel([] as never),
		"schedules.cancel: 'id' must be an id of 1 to 200 characters, not a list",
	],
	["auto.command", (s) => s.auto.command(7 as never), "auto.command: 'text' must be a text, not 7"],
	[
		"permissions.setMode",
		(s) => s.permissions.setMode(Symbol("x") as never),
		"permissions.setMode: 'mode' must be a text, not Symbol(x)",
	],
	["on", (s) => s.on("changed" as never, () => {}), "on: there is no event 'changed'. Did you mean 'run-changed'?"],
	["on", (s) => s.on("run-changed", 7 as never), "on: the listener must be a function, not 7"],
	["team.on", (s) => s.team.on("changed", {} as never), "team.on: the listener must be a function, not an object"],
	[
		"tasks.onChange",
		(s) => s.tasks.onChange(null as never),
		"tasks.onChange: the listener must be a function, not null",
	],
	["bus.inspect", (s) => s.bus.inspect(undefined as never), "bus.inspect: the listener must be a function, not absent"],
];

it("refuses what no call can use, names the field and starts nothing", async () => {
	const { supervisor } = await startSupervisor({});
	for (const [name, call, message] of calls) {
		const refused = expect.objectContaining({ code: "ERR_BAD_INPUT", message: expect.stringContaining(message) });
		// Some throw at once, as they answer at once.
		const outcome = (async () => call(supervisor))();
		await expect(outcome, name).rejects.toEqual(refused);
	}
	expect(supervisor.runs()).toEqual([]);
	const lead = await supervisor.startLead();
	await expect(lead.prompt(undefined as never)).rejects.toMatchObject({
		code: "ERR_BAD_INPUT",
		message: "lead.prompt: 'text' must be a text that is not empty, not absent",
	});
	await expect(lead.expand(null as never)).rejects.toThrow("lead.expand: 'text' must be a text, not null");
	expect(() => lead.useModel(7 as never)).toThrow("lead.useModel: 'text' must be a text, not 7");
	expect(() => lead.on("event" as never)).toThrow('lead.on: the listener must be a function, not "event"');
	expect(supervisor.tasks.list()).toEqual([]);
	expect(supervisor.schedules.list()).toEqual([]);
	expect(supervisor.permissions.rules()).toEqual([]);
});

it("says the same of all that needs its store once it is closed", async () => {
	const { supervisor } = await startSupervisor({});
	await supervisor.close();
	const uses: (() => unknown)[] = [
		() => supervisor.runs(),
		() => supervisor.sessions(),
		() => supervisor.tasks.list(),
		() => supervisor.tasks.create({ title: "t" }),
		() => supervisor.schedules.list(),
		() => supervisor.spawn({ description: "d", prompt: "p" }),
		() => supervisor.startLead(),
		() => supervisor.bus.send({ kind: "message", to: "lead", body: "b" }),
	];
	for (const use of uses) {
		const refused = { code: "ERR_CLOSED", message: "The supervisor is closed" };
		await expect((async () => use())(), String(use)).rejects.toMatchObject(refused);
	}
});
