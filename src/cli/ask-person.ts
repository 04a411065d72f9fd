// Questions to the person at the terminal, one at a time: permissions, an agent's own questions, trust in a folder.

import type { Interface } from "node:readline";
import { soon } from "../lib/clock.ts";
import type { PermissionAnswer, PermissionPrompt } from "../permissions/prompt.ts";
import { labelOf } from "../permissions/prompt.ts";
import type { UserQuestion } from "../runtime/options.ts";
import type { LiveRegion } from "./live-region.ts";
import { oneLine, plainText } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

export interface PersonAsker {
	permission(prompt: PermissionPrompt, signal: AbortSignal): Promise<PermissionAnswer>;
	question(question: UserQuestion, signal: AbortSignal): Promise<string>;
	yesNo(text: string): Promise<boolean>;
	line(text: string): Promise<string>;
}

export function createPersonAsker(rl: Interface, region: LiveRegion, colors: Terminal["colors"]): PersonAsker {
	let last: Promise<unknown> = Promise.resolve();

	/** Asks when every question before it is answered. Rejects when the signal aborts. */
	function ask(query: string, signal?: AbortSignal): Promise<string> {
		const answered = last.then(
			() =>
				new Promise<string>((resolve, reject) => {
					if (signal?.aborted) return reject(signal.reason);
					const onAbort = () => {
						reject(signal?.reason);
						// Upstream: readline leaves the question's text as the prompt when a question is cancelled.
						soon(() => rl.prompt());
					};
					signal?.addEventListener("abort", onAbort, { once: true });
					rl.question(query, signal ? { signal } : {}, resolve);
				}),
		);
		last = answered.catch(() => {});
		return answered;
	}

	return {
		permission: async (prompt, signal) => {
			const what = oneLine(JSON.stringify(prompt.input) ?? "", 400);
			region.print(`\n${colors.yellow(`${plainText(labelOf(prompt))} wants to run ${prompt.toolName}`)}\n  ${what}\n`);
			const rules = prompt.suggestions.length > 0;
			if (rules)
				region.print(
					colors.dim(`  A lasting answer makes the rule: ${prompt.suggestions.map(plainText).join(", ")}\n`),
				);
			const choices = rules ? "[y]es, yes for this [c]onversation, [a]lways, [n]o" : "[y]es, [n]o";
			const answer = (await ask(`  Allow it? ${choices}: `, signal)).trim().toLowerCase();
			if (answer === "y" || answer === "yes") return "once";
			if (rules && answer === "c") return "conversation";
			if (rules && (answer === "a" || answer === "always")) return "always";
			return { deny: true, message: "The user said no" };
		},
		question: async ({ question, options, agent }, signal) => {
			region.print(`\n${colors.yellow(`${plainText(agent.name)} asks: `)}${plainText(question)}\n`);
			for (const [index, option] of (options ?? []).entries()) region.print(`  ${index + 1}. ${plainText(option)}\n`);
			const answer = (await ask("  Your answer: ", signal)).trim();
			return options?.[Number(answer) - 1] ?? answer;
		},
		line: async (text) => (await ask(text)).trim(),
		yesNo: async (text) => /^y(es)?$/i.test((await ask(`${text} [y/N] `)).trim()),
	};
}
