/** What is wrong with a command beyond any rule. */
export type RefusedVerdict =
	/** Must not run. */
	| { readonly verdict: "refused"; readonly reason: string }
	/** May be one of them once its variables are filled in, so no rule may let it through unseen. */
	| { readonly verdict: "unsure"; readonly reason: string };
