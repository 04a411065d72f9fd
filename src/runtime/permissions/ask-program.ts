// Shows each prompt to the program's own handler, `permissions.onRequest`, and hands its answer to the queue. Whatever the
// handler does, the question is answered: what is none of the answers there are, and what throws, denies.

import { messageOf } from "../../errors.ts";
import { ANSWERS, type PermissionPrompt } from "../../permissions/prompt.ts";
import type { PermissionQueue, PermissionQueueOptions } from "../../permissions/queue.ts";
import type { ResolvedOptions } from "../options/options.ts";

export function askProgram(
	{ permissions, onWarning }: Pick<ResolvedOptions, "permissions" | "onWarning">,
	queue: () => Pick<PermissionQueue, "answer" | "refuse">,
	onAsked: (prompt: PermissionPrompt) => void,
): Pick<PermissionQueueOptions, "onPrompt" | "onPromptEnd"> {
	const { onRequest } = permissions;
	if (!onRequest) return {};
	const shown = new Map<string, AbortController>();

	async function ask(prompt: PermissionPrompt, gone: AbortSignal): Promise<void> {
		try {
			const { warning } = await queue().answer(prompt.requestId, (await onRequest?.(prompt, gone)) as never);
			if (warning) onWarning(warning);
		} catch (thrown) {
			// A handler whose question is over may end as it likes.
			if (gone.aborted) return;
			const why = `permissions.onRequest failed: ${messageOf(thrown)}`;
			queue().refuse(prompt.requestId, `nobody could be asked: ${why}`);
			onWarning(`${why}. It must answer ${ANSWERS}`);
		}
	}

	return {
		onPrompt: (prompt) => {
			const gone = new AbortController();
			shown.set(prompt.requestId, gone);
			onAsked(prompt);
			void ask(prompt, gone.signal);
		},
		onPromptEnd: (requestId) => {
			shown.get(requestId)?.abort();
			shown.delete(requestId);
		},
	};
}
