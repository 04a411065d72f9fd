// A cap in US dollars holds only where calls have a price. The offline model and scripts cost nothing.

import { ClowderError } from "../../errors.ts";
import { priceOf } from "../../model/prices.ts";
import type { BudgetCaps } from "../../supervision/budget-ledger.ts";
import type { ModelConfig } from "../../wire/model-config.ts";
import type { RunLimits } from "../../wire/run.ts";

/** @throws ERR_BAD_OPTION when a cap in US dollars is set and the model, or the one it falls back to, has no price. */
export type PriceCheck = (model: string, limits: RunLimits) => void;

export function createPriceCheck(config: ModelConfig, budget: BudgetCaps): PriceCheck {
	return (model, limits) => {
		if (config.provider !== "anthropic" || (limits.usd === undefined && budget.usd === undefined)) return;
		const names = config.fallbackModel === undefined ? [model] : [model, config.fallbackModel];
		const unknown = names.find((name) => priceOf(name) === undefined);
		if (unknown === undefined) return;
		const cap = limits.usd === undefined ? "budget.usd" : "limits.usd";
		const message = `The price of the model '${unknown}' is not known, so that the cap in US dollars (${cap}) cannot hold`;
		throw new ClowderError("ERR_BAD_OPTION", message, {
			remedy: "Cap tokens or turns instead, or use a model whose price is known",
			details: { model: unknown, option: cap },
		});
	};
}
