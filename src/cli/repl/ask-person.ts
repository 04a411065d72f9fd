// Questions to the person at the terminal, one at a time: permissions, an agent's own questions, trust in a folder.

import type { PermissionAnswer, PermissionPrompt } from "../../permissions/prompt.ts";
import { labelOf } from "../../permissions/prompt.ts";
import type { UserQuestion } from "../../runtime/options/options.ts";
import { type Excerpt, excerptOf, wholeOf } from "../terminal/excerpt.ts";
import type { LineInput } from "../terminal/line-input.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleLine, visibleLines } from "../terminal/visible-text.ts";
import { type DetailLine, describeCall } from "./call-details.ts";

/** Rows that a question needs besides what it is about. */
const OTHER_ROWS = 8;
/** Most rows for the rules that a lasting answer makes. */
const RULE_ROWS = 5;

export interface PersonAsker {
	permission(prompt: PermissionPrompt, signal: AbortSignal): Promise<PermissionAnswer>;
	question(question: UserQuestion, signal: AbortSignal): Promise<string>;
	/** Shows the lines, and asks until the answer is yes or no. */
	yesNo(text: string, lines: readonly string[], signal?: AbortSignal): Promise<boolean>;
	line(text: string, signal?: AbortSignal): Promise<string>;
	/** A question is open. */
	readonly isAsking: boolean;
	/** Answers the open permission question with no; false where none is open. */
	refuse(): boolean;
}

type Ask = (query: string, signal?: AbortSignal) => Promise<string>;

export function createPersonAsker(
	input: Pick<LineInput, "ask">,
	region: LiveRegion,
	colors: Terminal["colors"],
): PersonAsker {
	let last: Promise<unknown> = Promise.resolve();
	let asking = 0;
	let refuseOpen: (() => void) | undefined;

	/** Talks with the person when every talk before it is over. */
	function inTurn<Answer>(talk: (ask: Ask) => Promise<Answer>): Promise<Answer> {
		const answered = last.then(async () => {
			asking += 1;
			try {
				return await talk((query, signal) => input.ask(query, signal));
			} finally {
				asking -= 1;
			}
		});
		last = answered.catch(() => {});
		return answered;
	}

	function print(rows: readonly DetailLine[]): void {
		const paint = { plain: (text: string) => text, added: colors.green, removed: colors.red };
		region.print(rows.map(({ text, tone }) => `${paint[tone](text)}\n`).join(""));
	}

	/** Shows lines as far as they fit. */
	function printExcerpt(lines: readonly DetailLine[], maxRows: number): Excerpt {
		const excerpt = excerptOf(lines, region.columns, maxRows);
		print(excerpt.rows);
		return excerpt;
	}

	async function permission(prompt: PermissionPrompt, ask: Ask, signal: AbortSignal): Promise<PermissionAnswer> {
		signal.throwIfAborted();
		const call = describeCall(prompt);
		const rules = prompt.suggestions.flatMap(plainLines);
		const isLasting = rules.length > 0;
		const ruleRows = isLasting ? RULE_ROWS + 1 : 0;
		const who = `${visibleLine(labelOf(prompt), 100)} wants to run ${visibleLine(prompt.toolName, 100)}`;
		const where = prompt.cwd === process.cwd() ? "" : ` in ${visibleLines(prompt.cwd).join("␊")}`;
		const title = () => region.print(`\n${colors.yellow(`${who}${where}`)}\n`);
		const ruleTitle = () =>
			region.print(colors.dim(`  A lasting answer makes the ${prompt.suggestions.length === 1 ? "rule" : "rules"}:\n`));
		title();
		let { leftOut } = printExcerpt(call, Math.max(5, region.rows - OTHER_ROWS - ruleRows));
		if (isLasting) {
			ruleTitle();
			leftOut += printExcerpt(rules, RULE_ROWS).leftOut;
		}
		for (;;) {
			const query = `  Allow it? [y]es${isLasting ? ", for this [c]onversation, [a]lways" : ""}, [n]o${leftOut > 0 ? ", [v]iew all" : ""}: `;
			const answer = (await ask(query, signal)).trim().toLowerCase();
			if (answer === "y" || answer === "yes") return "once";
			if (isLasting && answer === "c") return "conversation";
			if (isLasting && (answer === "a" || answer === "always")) return "always";
			if (answer === "n" || answer === "no") return { deny: true, message: "The user said no" };
			if (answer !== "v") {
				region.print(colors.dim("  Please answer with one of the letters in brackets.\n"));
				continue;
			}
			title();
			print(wholeOf(call, region.columns));
			if (!isLasting) continue;
			ruleTitle();
			print(wholeOf(rules, region.columns));
		}
	}

	return {
		get isAsking() {
			return asking > 0;
		},
		refuse: () => {
			refuseOpen?.();
			return refuseOpen !== undefined;
		},
		permission: (prompt, signal) =>
			inTurn(async (ask) => {
				const refused = new AbortController();
				refuseOpen = () => refused.abort(REFUSED);
				try {
					return await permission(prompt, ask, AbortSignal.any([signal, refused.signal]));
				} catch (thrown) {
					if (thrown === REFUSED) return { deny: true, message: "The user said no" };
					throw thrown;
				} finally {
					refuseOpen = undefined;
				}
			}),
		question: ({ question, options, agent }, signal) =>
			inTurn(async (ask) => {
				signal.throwIfAborted();
				const shown = visibleLines(question).join("\n");
				region.print(`\n${colors.yellow(`${visibleLine(agent.name, 100)} asks: `)}${shown}\n`);
				for (const [index, option] of (options ?? []).entries()) {
					region.print(`  ${index + 1}. ${visibleLines(option).join("␊")}\n`);
				}
				const answer = (await ask("  Your answer: ", signal)).trim();
				return options?.[Number(answer) - 1] ?? answer;
			}),
		line: (text, signal) => inTurn(async (ask) => (await ask(text, signal)).trim()),
		yesNo: (text, lines, signal) =>
			inTurn(async (ask) => {
				const details = lines.flatMap(plainLines);
				const { leftOut } = printExcerpt(details, Math.max(5, region.rows - OTHER_ROWS));
				for (;;) {
					const answer = (await ask(`${text} [y]es, [n]o${leftOut > 0 ? ", [v]iew all" : ""}: `, signal)).trim();
					if (/^(y|yes)$/i.test(answer)) return true;
					if (/^(n|no)$/i.test(answer)) return false;
					if (answer === "v") print(wholeOf(details, region.columns));
					else region.print(colors.dim("Please answer with one of the letters in brackets.\n"));
				}
			}),
	};
}

const REFUSED = Symbol("refused");

const plainLines = (text: string): DetailLine[] => visibleLines(text).map((line) => ({ text: line, tone: "plain" }));
