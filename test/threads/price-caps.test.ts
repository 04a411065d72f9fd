import { expect, it } from "vitest";
import { startSupervisor } from "../support/supervisor.ts";

const claude = (model: string, fallbackModel?: string) => ({
	provider: "anthropic" as const,
	...{ model, apiKey: "none", baseUrl: "http://127.0.0.1:1" },
	...(fallbackModel === undefined ? {} : { fallbackModel }),
});
const refused = (model: string, cap: string) => ({
	code: "ERR_BAD_OPTION",
	message: `The price of the model '${model}' is not known, so that the cap in US dollars (${cap}) cannot hold. Cap tokens or turns instead, or use a model whose price is known`,
});

it("refuses a cap in US dollars for a model without a price, wherever the two meet", async () => {
	const start = (options: object) => startSupervisor({}, options);
	await expect(start({ model: claude("mine"), budget: { usd: 1 } })).rejects.toMatchObject(
		refused("mine", "budget.usd"),
	);
	await expect(start({ model: claude("mine"), limits: { usd: 1 } })).rejects.toMatchObject(
		refused("mine", "limits.usd"),
	);
	await expect(start({ model: claude("claude-sonnet-5-5", "mine"), budget: { usd: 1 } })).rejects.toMatchObject(
		refused("mine", "budget.usd"),
	);

	const { supervisor } = await start({ model: claude("mine") });
	const work = { description: "d", prompt: "p" };
	expect(() => supervisor.spawn({ ...work, limits: { usd: 1 } })).toThrow(
		expect.objectContaining(refused("mine", "limits.usd")),
	);
	await expect(supervisor.startLead({ limits: { usd: 1 } })).rejects.toMatchObject(refused("mine", "limits.usd"));
	const priced = supervisor.spawn({ ...work, model: "haiku", limits: { usd: 1 } });
	await priced.cancel();
});

it("refuses to change to a model without a price while a cap in US dollars holds", async () => {
	const { supervisor } = await startSupervisor({}, { model: claude("claude-sonnet-4-5-20250929"), budget: { usd: 1 } });
	const lead = await supervisor.startLead();
	expect(() => lead.useModel("mine")).toThrow(expect.objectContaining(refused("mine", "budget.usd")));
	expect(lead.useModel("opus")).toBe("claude-opus-5-5");
	expect(() => supervisor.spawn({ description: "d", prompt: "p", model: "mine" })).toThrow(
		expect.objectContaining(refused("mine", "budget.usd")),
	);
});

it("lets models that cost nothing have any cap", async () => {
	for (const model of ["offline", undefined]) {
		const { supervisor } = await startSupervisor({}, { ...(model ? { model } : {}), budget: { usd: 1 } });
		expect(supervisor.status().running).toBe(0);
	}
});
