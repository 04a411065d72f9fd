// The built-in tools by name, each loaded when an agent that has it starts. todo_write is not here: it needs its
// agent's own list (todo/todo-write.ts).

import type { Tool } from "../definition.ts";

/** Loads one built-in tool. */
export type LoadTool = () => Promise<Tool>;

export const BUILTIN_TOOLS = {
	read_file: async () => (await import("./read-file.ts")).readFileTool,
	write_file: async () => (await import("./write-file.ts")).writeFileTool,
	edit_file: async () => (await import("./edit-file.ts")).editFileTool,
	glob: async () => (await import("./glob.ts")).globTool,
	grep: async () => (await import("./grep.ts")).grepTool,
	bash: async () => (await import("./bash.ts")).bashTool,
	web_fetch: async () => (await import("./web-fetch.ts")).webFetchTool,
	ask_user: async () => (await import("./ask-user.ts")).askUserTool,
} as const satisfies Readonly<Record<string, LoadTool>>;

export type BuiltinToolName = keyof typeof BUILTIN_TOOLS;

export function isBuiltinToolName(name: string): name is BuiltinToolName {
	return Object.hasOwn(BUILTIN_TOOLS, name);
}
