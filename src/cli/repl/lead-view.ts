// What the lead does, as it appears above the prompt: its text as it comes, a line per tool call, notices.

import type { Lead } from "../../runtime/agents/lead.ts";
import { TASK_NAME } from "../../subagents/task-tool.ts";
import type { RunEvent } from "../../supervision/live-run.ts";
import type { AgentEvent } from "../../wire/control.ts";
import { notificationsIn } from "../notices.ts";
import { oneLine, plainText } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cutLine, wrapText } from "../terminal/wrap-text.ts";

/** Teammates have a line of their own, whoever spawned them. */
const SPAWN_NAME = "spawn_teammate";

export interface LeadViewOptions {
	readonly colors: Terminal["colors"];
	readonly verbose: boolean;
	/** The lead rests: the person may type. */
	onRest(): void;
}

/** Shows a lead's events until the returned function is called. */
export function showLeadEvents(lead: Lead, region: LiveRegion, options: LeadViewOptions): () => void {
	const { colors } = options;
	// Text is printed a row at a time, as soon as one is full, so that live lines below it stay whole.
	let partial = "";

	function flush(): void {
		if (partial !== "") region.print(`${partial}\n`);
		partial = "";
	}

	function addText(text: string): void {
		const lines = (partial + plainText(text)).split("\n");
		const rest = lines.pop() ?? "";
		const rows = wrapText(rest, region.columns).split("\n");
		// A blank that ends what has come so far parts it from what comes next; breaking lines drops it.
		partial = rows.length > 1 ? `${rows.pop()}${/\s*$/.exec(rest)?.[0]}` : (rows.pop() ?? "");
		for (const line of [...lines, ...rows]) region.print(`${line}\n`);
	}

	function show(event: AgentEvent): void {
		switch (event.type) {
			case "text-delta":
				return addText(event.text);
			case "text-reset":
				partial = "";
				return region.print(`${colors.dim(`(${oneLine(event.detail, 200)}; trying again)`)}\n`);
			case "turn-started":
				return flush();
			case "tool-started":
				flush();
				if (event.name !== TASK_NAME && event.name !== SPAWN_NAME) {
					const line = `  ${oneLine(event.name, 60)}: ${oneLine(event.summary, 160)}`;
					region.print(`${colors.dim(cutLine(line, region.columns - 1))}\n`);
				}
				return;
			case "tool-finished":
				if (event.isError) region.print(`${colors.red(`  ${oneLine(`${event.name}: ${event.preview}`, 200)}`)}\n`);
				return;
			case "notice":
				return region.print(`\n${plainText(event.text)}\n\n`);
			case "log":
				if (options.verbose || event.level === "error")
					region.print(`${colors.dim(`  ${oneLine(event.text, 300)}`)}\n`);
		}
	}

	return lead.on((event: RunEvent) => {
		switch (event.type) {
			case "agent-event":
				return show(event.event);
			case "prompt-finished": {
				flush();
				const { reason, error } = event.outcome;
				if (reason === "interrupted" || reason === "cancelled") region.print(`${colors.yellow("(interrupted)")}\n`);
				else if (reason !== "done") region.print(`${colors.red(`Error: ${oneLine(error ?? reason, 400)}`)}\n`);
				return options.onRest();
			}
			case "ended":
				flush();
				if (event.record.reason !== "cancelled") {
					region.print(
						`${colors.red(`The lead ended (${event.record.reason}): ${oneLine(event.record.error ?? "", 300)}`)}\n`,
					);
					region.print(`${colors.dim("The conversation is kept; the next prompt goes on with it.")}\n`);
					options.onRest();
				}
				return;
			case "history":
				// A rewritten history holds what was shown before.
				if (event.replaces) return;
				for (const summary of event.messagesJson.flatMap(notificationsIn)) {
					region.print(`${colors.dim(`🔔 ${oneLine(summary, 300)}`)}\n`);
				}
				return;
			case "snapshot":
			case "changed":
			case "prompt-started":
		}
	});
}
