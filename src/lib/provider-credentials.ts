// Which environment variables hold a model provider's credentials, so that every place that hands an environment
// on (child processes, hooks, MCP servers, agent threads) leaves out the same ones.

export const PROVIDER_CREDENTIALS: ReadonlySet<string> = new Set([
	"ANTHROPIC_API_KEY",
	"ANTHROPIC_AUTH_TOKEN",
	"ANTHROPIC_CUSTOM_HEADERS",
	"CLAUDE_CODE_OAUTH_TOKEN",
]);

/** The environment as plain text values, without provider credentials. */
export function withoutCredentials(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
	const clean: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && !PROVIDER_CREDENTIALS.has(name.toUpperCase())) clean[name] = value;
	}
	return clean;
}
