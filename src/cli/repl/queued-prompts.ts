// Prompts that are typed while the lead works: they wait here, where the person can have them back.

export interface QueuedPrompts {
	/** Says it to the lead: now, or when it rests. */
	say(text: string): void;
	/** The lead rests: the next one is said. */
	sayNext(): void;
	/** All that wait, as one text; none waits any longer. */
	takeBack(): string;
}

export function createQueuedPrompts(
	lead: { readonly busy: boolean; prompt(text: string): Promise<unknown> },
	onQueued: (text: string) => void,
): QueuedPrompts {
	const waiting: string[] = [];
	// How it ends comes as an event; only a lead that is closed rejects, and that is the person's own doing.
	const start = (text: string) => void lead.prompt(text).catch(() => {});
	return {
		say: (text) => {
			if (!lead.busy && waiting.length === 0) return start(text);
			waiting.push(text);
			onQueued(text);
		},
		sayNext: () => {
			const next = lead.busy ? undefined : waiting.shift();
			if (next !== undefined) start(next);
		},
		takeBack: () => waiting.splice(0).join("\n"),
	};
}
