// What a parent is told when a background subagent ends.

import type { OutgoingEnvelope } from "../wire/envelope.ts";
import type { RunRecord } from "../wire/run.ts";
import { withWorktree } from "./worktree-line.ts";

/** Results longer than this are cut in the notification; the whole stays in the record (`query_task`). */
const MAX_RESULT_CHARS = 100_000;

/** The envelope for an ended run. Its id is the run's, so that it can be delivered once only. */
export function endNotification(record: RunRecord, to: string): OutgoingEnvelope {
	const text = record.finalText ?? "";
	const body =
		text.length > MAX_RESULT_CHARS ? `${text.slice(0, MAX_RESULT_CHARS)}\n… (cut; use query_task for the whole)` : text;
	return {
		id: `end-of-${record.id}`,
		kind: "notification",
		to,
		body: withWorktree(
			record.status === "COMPLETED" ? body : [record.error ?? "", body].filter((part) => part !== "").join("\n\n"),
			record.worktree,
		),
		summary:
			`${record.description} ${record.status === "COMPLETED" ? "completed" : `failed (${record.reason ?? "lost"})`}`.slice(
				0,
				400,
			),
		data: {
			taskId: record.id,
			status: record.status,
			reason: record.reason ?? "lost",
			description: record.description,
			agentType: record.agentType,
		},
	};
}
