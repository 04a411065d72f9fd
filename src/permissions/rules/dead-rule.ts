// Rules that read well and never meet a call. One that forbids or asks is then lost, and whoever wrote it does not know.

/** Another rule in the same text: `Bash(rm *), Read(.env)`. */
const SECOND_RULE = /\)[\s,;|]+(?:[A-Z][A-Za-z]*|mcp__[\w.*-]+)\(/;
/** `:*` stands for all arguments at the end alone: `rm:* x`; so does a `*` behind a blank: `rm: *`. */
const COLON_NAME = /^[\w./-]+:(?:\*\s|\s+\*$)/;
const OTHER_HOME = /^~[A-Za-z_][\w.-]*\//;

/** Why no call can meet it, or undefined. */
export function whyDead(toolName: string, specText: string): string | undefined {
	if (SECOND_RULE.test(specText)) return "it holds several rules; write each of them as a text of its own";
	if (toolName === "bash" && COLON_NAME.test(specText)) {
		const [name = ""] = specText.split(":");
		return `no command is called '${name}:'; write '${name} *' or '${name}:*' for every call of ${name}`;
	}
	if (toolName !== "bash" && OTHER_HOME.test(specText)) {
		return "another's home folder is not looked up; write the absolute path behind //, or ./ before a folder of that name";
	}
	return undefined;
}
