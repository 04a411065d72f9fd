/** An expected failure of a tool: its message becomes the error result as it stands (put `Error: ` in front yourself). */
export class ToolError extends Error {
	override readonly name = "ToolError";
}
