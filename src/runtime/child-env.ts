// The environment that agent threads and their child processes get: the person's own, without the provider's
// credentials. The key lives in the gateway thread alone.

const CREDENTIALS = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** A copy without credentials. */
export function childEnvironment(env: Environment): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && !CREDENTIALS.has(name)) kept[name] = value;
	}
	return kept;
}

/** What the gateway thread may see: proxies and certificates. */
export function gatewayEnvironment(env: Environment): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY|TZ)$/i.test(name)) {
			kept[name] = value;
		}
	}
	return kept;
}
