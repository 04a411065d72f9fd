import { createDeferred } from "../../src/lib/deferred.ts";
import type { AttemptHooks, AttemptReply, ModelProvider } from "../../src/model/provider.ts";
import { NO_USAGE } from "../../src/wire/conversation.ts";
import type { ModelRequest } from "../../src/wire/model-call.ts";

/** One attempt that a test holds in its hand. */
export interface HeldAttempt {
	readonly request: ModelRequest;
	readonly hooks: AttemptHooks;
	answer(text?: string, over?: Partial<AttemptReply>): void;
	fail(error: unknown): void;
}

/** A provider whose attempts wait until the test decides them. */
export function createHeldProvider() {
	const attempts: HeldAttempt[] = [];
	const provider: ModelProvider = {
		gateKey: (request) => `held ${request.model}`,
		attempt(request, hooks) {
			const result = createDeferred<AttemptReply>();
			attempts.push({
				request,
				hooks,
				answer: (text = "ok", over = {}) =>
					result.resolve({
						content: [{ type: "text", text }],
						stopReason: "end_turn",
						usage: NO_USAGE,
						model: request.model,
						...over,
					}),
				fail: (error) => result.reject(error),
			});
			return result.promise;
		},
	};
	return { provider, attempts };
}
