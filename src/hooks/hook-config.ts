// The shape of user hooks once a settings or agent file has been read and checked.
// config/ makes it, user-hooks.ts runs it; types only.

import type { HookEventName } from "./events.ts";

/** One command that a person wants to run on an event. */
export interface CommandHook {
	/** A shell command line, as written. */
	readonly command: string;
	/** Longest run in ms; absent = the default of user hooks. */
	readonly timeoutMs?: number;
	/** The file it was written in, for messages. */
	readonly source: string;
	/** The project that file belongs to; absent for the person's own files. */
	readonly projectDir?: string;
}

/** Commands that share a matcher. */
export interface HookGroup {
	/** Empty or `*` = all; a list of exact names; else a JavaScript regular expression. */
	readonly matcher: string;
	readonly hooks: readonly CommandHook[];
}

/** User hooks by event, in the order of their files and of their places in them. */
export type HooksConfig = { readonly [Event in HookEventName]?: readonly HookGroup[] };
