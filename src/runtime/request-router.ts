// What agents may ask of main: one handler per method, registered by the rooms that can answer.
// Every request is checked against its schema before a handler sees it; the asker is the port's owner, never a field.

import { ClowderError } from "../errors.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { AgentRequestReport } from "../supervision/supervisor-state.ts";
import {
	type AgentRequestMethod,
	type RequestParams,
	type RequestResults,
	requestParamsSchemas,
} from "../wire/requests.ts";

export type RequestHandler<M extends AgentRequestMethod> = (
	run: LiveRun,
	params: RequestParams<M>,
	/** Aborts when the agent no longer waits, or its run has ended. */
	signal: AbortSignal,
) => Promise<RequestResults[M]>;

export interface RequestRouter {
	register<M extends AgentRequestMethod>(method: M, handler: RequestHandler<M>): void;
	/** @throws ERR_BAD_MESSAGE for an unknown method or a malformed question, ERR_UNKNOWN_TOOL, ERR_PERMISSION_DENIED. */
	route(run: LiveRun, request: AgentRequestReport, signal: AbortSignal): Promise<unknown>;
}

/** @param settle what main is to act on; throws for a request that the agent may not make. */
export function createRequestRouter(
	settle: (run: LiveRun, method: AgentRequestMethod, params: unknown) => unknown,
): RequestRouter {
	const handlers = new Map<string, RequestHandler<AgentRequestMethod>>();
	return {
		register: (method, handler) => {
			handlers.set(method, handler as unknown as RequestHandler<AgentRequestMethod>);
		},
		route: async (run, { method, params }, signal) => {
			const handler = handlers.get(method);
			if (!handler) throw new ClowderError("ERR_BAD_MESSAGE", `Nothing on main answers '${String(method)}'`);
			const parsed = requestParamsSchemas[method].safeParse(params);
			if (!parsed.success) {
				const issue = parsed.error.issues[0];
				const where = issue?.path.join(".") ?? "";
				throw new ClowderError(
					"ERR_BAD_MESSAGE",
					`The request '${method}' is malformed at '${where}': ${issue?.message}`,
				);
			}
			return handler(run, settle(run, method, parsed.data) as never, signal);
		},
	};
}
