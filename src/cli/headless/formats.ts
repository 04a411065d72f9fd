// What a headless run writes to stdout while it works and at its end, per output format.

import type { Lead } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import type { RunEvent } from "../../supervision/live-run.ts";
import type { RunRecord } from "../../wire/run.ts";
import type { Flags, OutputFormat } from "../flags.ts";
import { headlessCommandNames } from "../repl/repl-commands.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { HeadlessResult } from "./result.ts";

export interface FormatWriter {
	start(): void;
	leadEvent(event: RunEvent): void;
	runChanged(record: RunRecord): void;
	end(result: HeadlessResult): void;
}

export interface FormatParts {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

export function createFormatWriter(format: OutputFormat, parts: FormatParts): FormatWriter {
	switch (format) {
		case "text":
			return { ...silent, end: (result) => writeText(parts.terminal, result) };
		case "json":
			return { ...silent, end: (result) => parts.terminal.out(`${JSON.stringify(result)}\n`) };
		case "stream-json":
			return createStreamJson(parts);
	}
}

const silent: FormatWriter = { start: () => {}, leadEvent: () => {}, runChanged: () => {}, end: () => {} };

function writeText({ out, err }: Terminal, { result, is_error, error, reason }: HeadlessResult): void {
	const text = plainText(result);
	if (text !== "") out(text.endsWith("\n") ? text : `${text}\n`);
	if (is_error) err(`clowder: ${plainText(error ?? `the run ended: ${reason}`).replace(/\s*\n\s*/g, " ")}\n`);
}

function createStreamJson({ flags, terminal, supervisor, lead }: FormatParts): FormatWriter {
	const write = (line: object) =>
		terminal.out(`${JSON.stringify({ ...line, uuid: crypto.randomUUID(), session_id: supervisor.sessionId })}\n`);
	const started = new Set<string>();

	return {
		start: () =>
			write({
				type: "system",
				subtype: "init",
				cwd: process.cwd(),
				tools: lead.tools,
				mcp_servers: [],
				model: lead.model,
				permissionMode: supervisor.permissionMode(),
				slash_commands: headlessCommandNames(supervisor),
				agents: supervisor.agentTypes(),
			}),
		leadEvent: (event) => {
			if (event.type === "history") {
				for (const json of event.messagesJson) {
					const message = JSON.parse(json) as { role: string };
					write({ type: message.role, message, parent_tool_use_id: null });
				}
			} else if (event.type === "agent-event" && event.event.type === "text-delta" && flags.includePartialMessages) {
				write({
					type: "stream_event",
					event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: event.event.text } },
					parent_tool_use_id: null,
				});
			}
		},
		runChanged: (record) => {
			if (record.kind !== "subagent" || record.status === "PENDING") return;
			const task = { type: "system", task_id: record.id, description: record.description };
			if (record.status === "RUNNING") {
				const subtype = started.has(record.id) ? "task_progress" : "task_started";
				started.add(record.id);
				write({ ...task, subtype });
			} else {
				started.delete(record.id);
				write({
					...task,
					subtype: "task_notification",
					status: record.status === "COMPLETED" ? "completed" : "failed",
					usage: record.usage,
				});
			}
		},
		end: ({ uuid: _uuid, session_id: _session, ...result }) => write(result),
	};
}
