// List prices in US dollars per million tokens (https://platform.claude.com/docs/en/about-claude/pricing).
// Cache writes are those of the five-minute cache, the only one this program asks for.

export interface ModelRates {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

export interface ModelPrice extends ModelRates {
	/** Rates of the whole call once its prompt, cached parts included, is longer than `promptTokens`. */
	readonly longPrompt?: ModelRates & { readonly promptTokens: number };
}

/** Prices by model id without date. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

const FABLE_5_2: ModelPrice = { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 };
const FABLE_5_1: ModelPrice = { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 };
const FABLE_5: ModelPrice = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 };
const OPUS_4_5_TO_5: ModelPrice = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const OPUS_4: ModelPrice = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };
const SONNET_4: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

export const PRICES: PriceTable = {
	"claude-fable-5-2": FABLE_5_2,
	"claude-mythos-5-2": FABLE_5_2,
	"claude-fable-5-1": FABLE_5_1,
	"claude-mythos-5-1": FABLE_5_1,
	"claude-fable-5": FABLE_5,
	"claude-mythos-5": FABLE_5,
	"claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
	"claude-opus-5": OPUS_4_5_TO_5,
	"claude-opus-4-8": OPUS_4_5_TO_5,
	"claude-opus-4-7": OPUS_4_5_TO_5,
	"claude-opus-4-6": OPUS_4_5_TO_5,
	"claude-opus-4-5": OPUS_4_5_TO_5,
	"claude-opus-4-1": OPUS_4,
	"claude-opus-4": OPUS_4,
	"claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
	"claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
	"claude-sonnet-4-6": SONNET_4,
	"claude-sonnet-4-5": SONNET_4,
	"claude-sonnet-4": SONNET_4,
	"claude-haiku-5-5": {
		input: 0.1,
		output: 0.5,
		cacheRead: 0.01,
		cacheWrite: 0.125,
		longPrompt: { promptTokens: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
	},
	"claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};
