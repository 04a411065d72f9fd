export interface Permissions {
	readonly deniedTools: ReadonlySet<string>;
	authorize(run: LiveRun, call: RequestParams<"authorize-call">): Promise<AuthorizeResult>;
	denials(): readonly PermissionDenial[];
	withdraw(runId: string): void;
	onWaiting(pause: (runId: string) => () => void): void;
}

import type { LiveRun } from "../supervision/live-run.ts";
import type { AuthorizeResult, RequestParams } from "../wire/requests.ts";
import type { ResolvedOptions } from "./options.ts";
import type { PermissionDenial } from "./supervisor.ts";
export async function createPermissions(options: ResolvedOptions): Promise<Permissions> {
	return {
		deniedTools: new Set(),
		authorize: async (_run, call) =>
			call.readOnly || options.permissions.mode === "bypassPermissions"
				? { decision: "allow" }
				: { decision: "deny", message: "nobody to ask" },
		denials: () => [],
		withdraw: () => {},
		onWaiting: () => {},
	};
}
