// How the offline model speaks of itself. It never passes for Claude.

export const OFFLINE_MODEL = "offline";

/** Ends every report that the rules write. */
export const OFFLINE_LINE =
	"_Written by the offline model: fixed rules, no LLM. Every figure comes from the result of a tool call._";

/** The answer to whatever the rules do not know. */
export const HELP_TEXT = `I am the offline model: fixed rules, no LLM. I understand these phrases and nothing else:

- \`survey DIR\`: divides the folder among subagents and merges what they find into one report
- \`list files in DIR\`
- \`search for TEXT in DIR\`: TEXT exactly as it stands
- \`help\`

DIR may be left out (then it is the working folder) and may stand in double quotes, as may TEXT.
To work with Claude, set ANTHROPIC_API_KEY and start again with a Claude model.`;
