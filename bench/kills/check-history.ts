// What must be true of a history after each restart.

export interface Ledger {
	/** The process ended in order after this prompt: it may never be missing from now on. */
	acknowledge(prompt: string): void;
	facts(): number;
	readonly prompts: ReadonlySet<string>;
	/** Ids of jobs, subagents and schedules that some history named. */
	readonly ids: Set<string>;
}

export function createLedger(): Ledger {
	const prompts = new Set<string>();
	const ids = new Set<string>();
	return {
		acknowledge: (prompt) => void prompts.add(prompt),
		facts: () => prompts.size + ids.size,
		prompts,
		ids,
	};
}

/**
 * What is missing or doubled, in words.
 *
 * @param since what was started before this prompt must have been told of by now.
 */
export function checkHistory(messages: unknown, ledger: Ledger, since: string): string[] {
	const json = JSON.stringify(messages);
	const before = json.slice(0, Math.max(0, json.lastIndexOf(since)));
	const texts = [...json.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text ?? "");
	const troubles: string[] = [];
	for (const prompt of ledger.prompts) {
		if (texts.filter((text) => text === prompt).length !== 1) troubles.push(`${prompt} is missing or doubled`);
	}
	const told = texts.flatMap((text) => (/^<task-notification>\\n<task-id>(.*?)<\/task-id>/.exec(text) ?? []).slice(1));
	for (const id of new Set(told)) {
		if (told.filter((each) => each === id).length !== 1) troubles.push(`the end of ${id} is told more than once`);
	}
	const started = [...before.matchAll(/(?:Job started|Task dispatched): ((?:job|task)_[\w-]+)/g)].map(
		([, id]) => id ?? "",
	);
	for (const id of started) if (!told.includes(id)) troubles.push(`the end of ${id} is not told`);
	const scheduled = [...json.matchAll(/Scheduled: (cron_[\w-]+)/g)].map(([, id]) => id ?? "");
	for (const id of [...told, ...scheduled]) ledger.ids.add(id);
	for (const id of ledger.ids) if (!json.includes(id)) troubles.push(`${id} was told and is gone`);
	const lists = [...json.matchAll(/Schedules \(\d+\):[^"]*/g)].map(([text]) => text);
	const list = lists.at(-1);
	for (const id of list ? scheduled : [])
		if (list && isOlder(json, id, list) && !list.includes(id)) troubles.push(`${id} is not listed`);
	return troubles;
}

const isOlder = (json: string, id: string, list: string) => json.indexOf(id) < json.lastIndexOf(list);
