// The shared budget of all agents of one supervisor, in shared memory: tokens and US dollars are reserved
// before each model call and settled after it, so that no number of agents at once can overshoot the caps.
// The gateway thread moves it; every thread may read it.

/** Slots of the BigInt64Array. A cap of -1 = no cap. */
const TOKENS_CAP = 0;
const TOKENS_USED = 1;
const USD_CAP = 2;
const USD_USED = 3;
const WORDS = 4;
const NO_CAP = -1n;

export interface BudgetCaps {
	/** Input plus output tokens of all agents together. */
	readonly tokens?: number;
	/** US dollars of all agents together. */
	readonly usd?: number;
}

export interface Reservation {
	/** Puts what was truly used in the place of the estimate; once. */
	settle(tokens: number, usd: number): void;
}

const toMicro = (usd: number) => BigInt(Math.round(usd * 1e6));

export class BudgetLedger {
	readonly buffer: SharedArrayBuffer;
	readonly #words: BigInt64Array;

	/** Builds a ledger with caps, or opens one. */
	constructor(source: BudgetCaps | { readonly buffer: SharedArrayBuffer }) {
		const existing = "buffer" in source ? source.buffer : undefined;
		this.buffer = existing ?? new SharedArrayBuffer(WORDS * 8);
		this.#words = new BigInt64Array(this.buffer);
		if (existing || "buffer" in source) return;
		Atomics.store(this.#words, TOKENS_CAP, source.tokens === undefined ? NO_CAP : BigInt(Math.floor(source.tokens)));
		Atomics.store(this.#words, USD_CAP, source.usd === undefined ? NO_CAP : toMicro(source.usd));
	}

	/** Settled and reserved amounts. */
	used(): { readonly tokens: number; readonly usd: number } {
		return {
			tokens: Number(Atomics.load(this.#words, TOKENS_USED)),
			usd: Number(Atomics.load(this.#words, USD_USED)) / 1e6,
		};
	}

	/** Reserves an estimate; undefined when a cap does not cover it. */
	reserve(tokens: number, usd: number): Reservation | undefined {
		const tokenCount = BigInt(Math.ceil(tokens));
		const microUsd = toMicro(usd);
		if (!this.#take(TOKENS_CAP, TOKENS_USED, tokenCount)) return undefined;
		if (!this.#take(USD_CAP, USD_USED, microUsd)) {
			Atomics.sub(this.#words, TOKENS_USED, tokenCount);
			return undefined;
		}
		let settled = false;
		return {
			settle: (trueTokens, trueUsd) => {
				if (settled) return;
				settled = true;
				Atomics.add(this.#words, TOKENS_USED, BigInt(Math.ceil(trueTokens)) - tokenCount);
				Atomics.add(this.#words, USD_USED, toMicro(trueUsd) - microUsd);
			},
		};
	}

	#take(capWord: number, usedWord: number, amount: bigint): boolean {
		const cap = Atomics.load(this.#words, capWord);
		for (;;) {
			const used = Atomics.load(this.#words, usedWord);
			if (cap !== NO_CAP && used + amount > cap) return false;
			if (Atomics.compareExchange(this.#words, usedWord, used, used + amount) === used) return true;
		}
	}
}
