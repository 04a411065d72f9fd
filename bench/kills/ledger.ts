// What was acknowledged so far: it may never be missing, and never be there twice.

import { blocksOf, type RequestMessage } from "../../src/testing/messages-request.ts";

export interface Ledger {
	/** Prompts after which the process ended in order. */
	readonly prompts: Set<string>;
	/** What a tool's result in the lead's history has named. */
	readonly jobs: Set<string>;
	readonly subagents: Set<string>;
	readonly schedules: Set<string>;
	readonly tasks: Set<string>;
	/** Seen as completed on the board. */
	readonly completed: Set<string>;
	/** Bodies that the teammate has to read: messages that were accepted, and first prompts. */
	readonly mail: Set<string>;
	/** Ends that the lead was told of. */
	readonly told: Set<string>;
}

/** @param former of the project's former conversation: schedules and tasks outlive it. */
export function createLedger(former?: Ledger): Ledger {
	const empty = { prompts: new Set<string>(), jobs: new Set<string>(), subagents: new Set<string>() };
	return {
		...{ ...empty, mail: new Set(), told: new Set() },
		schedules: new Set(former?.schedules),
		tasks: new Set(former?.tasks),
		completed: new Set(former?.completed),
	};
}

export const countFacts = (ledger: Ledger): Record<keyof Ledger, number> => {
	const { prompts, jobs, subagents, schedules, tasks, completed, mail, told } = ledger;
	const sizes = { prompts, jobs, subagents, schedules, tasks, completed, mail, told };
	return Object.fromEntries(Object.entries(sizes).map(([name, set]) => [name, set.size])) as Record<
		keyof Ledger,
		number
	>;
};

/** Notes what the results in the lead's history acknowledge. */
export function noteResults(messages: readonly RequestMessage[], ledger: Ledger): void {
	const inputs = new Map<string, { readonly body?: string; readonly prompt?: string }>();
	for (const block of messages.flatMap(({ content }) => blocksOf(content))) {
		if (block.type === "tool_use") inputs.set(block.id ?? "", block.input as { body?: string; prompt?: string });
		if (block.type !== "tool_result") continue;
		const result = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
		const note = (set: Set<string>, pattern: RegExp) => {
			const [, id] = pattern.exec(result) ?? [];
			if (id !== undefined) set.add(id);
		};
		note(ledger.jobs, /Job started: (job_[\w-]+)/);
		note(ledger.subagents, /Task dispatched: (task_[\w-]+)/);
		note(ledger.schedules, /Scheduled: (cron_[\w-]+)/);
		note(ledger.tasks, /Task created: (t\d+)/);
		const { body, prompt } = inputs.get(block.tool_use_id ?? "") ?? {};
		if (/Message (delivered|queued)/.test(result) && body !== undefined) ledger.mail.add(body);
		if (/Teammate 'ann' spawned/.test(result) && prompt !== undefined) ledger.mail.add(prompt);
	}
}
