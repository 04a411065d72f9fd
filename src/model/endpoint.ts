// Where Claude is called and with what credentials. The only file of this room that turns configuration and
// environment into an address and a key.

import { ClowderError } from "../errors.ts";
import type { AnthropicConfig } from "../wire/model-config.ts";

export type ModelEnv = Readonly<Record<string, string | undefined>>;

export interface Endpoint {
	readonly baseUrl: string;
	/** Host name and port: what messages and the rate gate call this server. */
	readonly host: string;
	/** Whether this is Anthropic's own server. */
	readonly isOfficial: boolean;
	readonly apiKey?: string;
	readonly authToken?: string;
}

const OFFICIAL_URL = "https://api.anthropic.com";

/**
 * Resolves address and credentials.
 *
 * The environment (`ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`) is used only where the
 * configuration names none of the three: a key must never go to an address that came from elsewhere.
 *
 * @throws ClowderError ERR_MODEL_CONFIG when there is no key for Anthropic's server or the address is not a URL.
 */
export function resolveEndpoint(config: AnthropicConfig, env: ModelEnv = {}): Endpoint {
	const source =
		config.apiKey || config.authToken || config.baseUrl
			? config
			: { apiKey: env.ANTHROPIC_API_KEY, authToken: env.ANTHROPIC_AUTH_TOKEN, baseUrl: env.ANTHROPIC_BASE_URL };
	const url = parseUrl(source.baseUrl || OFFICIAL_URL);
	const isOfficial = url.host === new URL(OFFICIAL_URL).host;
	// An API key wins over a token, as in the SDK.
	const apiKey = source.apiKey?.trim();
	const authToken = apiKey ? undefined : source.authToken?.trim();
	if (isOfficial && !apiKey && !authToken) {
		throw new ClowderError("ERR_MODEL_CONFIG", `There is no API key for ${url.host}`, {
			remedy:
				"Set ANTHROPIC_API_KEY, or take the model that needs none (--model offline): fixed rules that can survey a folder",
		});
	}
	return {
		baseUrl: url.href.replace(/\/+$/, ""),
		host: url.host,
		isOfficial,
		...(apiKey ? { apiKey } : {}),
		...(authToken ? { authToken } : {}),
	};
}

function parseUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol === "http:" || url?.protocol === "https:") return url;
	throw new ClowderError("ERR_MODEL_CONFIG", "The model server's address is not an http or https URL", {
		remedy: "Check ANTHROPIC_BASE_URL",
	});
}
