// The environments of the threads. Agents and their child processes get the person's own without the provider's
// credentials; the gateway thread gets what its connections need.

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the gateway thread may see: proxies and certificates. The key reaches it in its configuration. */
export function gatewayEnvironment(env: Environment): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY|TZ)$/i.test(name)) {
			kept[name] = value;
		}
	}
	return kept;
}
