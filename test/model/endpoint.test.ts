import { describe, expect, it } from "vitest";
import { resolveEndpoint } from "../../src/model/endpoint.ts";

const config = (over: object = {}) => ({ provider: "anthropic", model: "m", ...over }) as const;
const env = { ANTHROPIC_API_KEY: "env-key", ANTHROPIC_AUTH_TOKEN: "env-token", ANTHROPIC_BASE_URL: "http://env.test" };

describe("resolveEndpoint", () => {
	it("takes the environment where the configuration names nothing", () => {
		expect(resolveEndpoint(config(), env)).toEqual({
			baseUrl: "http://env.test",
			host: "env.test",
			isOfficial: false,
			apiKey: "env-key",
		});
	});

	it("never sends the environment's key to an address from the configuration", () => {
		expect(resolveEndpoint(config({ baseUrl: "http://other.test:8080/api/" }), env)).toEqual({
			baseUrl: "http://other.test:8080/api",
			host: "other.test:8080",
			isOfficial: false,
		});
	});

	it("never sends the configuration's key to an address from the environment", () => {
		expect(resolveEndpoint(config({ apiKey: " mine\n" }), env)).toEqual({
			baseUrl: "https://api.anthropic.com",
			host: "api.anthropic.com",
			isOfficial: true,
			apiKey: "mine",
		});
	});

	it("uses a token where there is no key", () => {
		expect(resolveEndpoint(config({ authToken: "t" }), {})).toMatchObject({ isOfficial: true, authToken: "t" });
	});

	it.each(["localhost:8080", "file:///etc", "not a url"])("refuses the address %s without showing it", (baseUrl) => {
		expect(() => resolveEndpoint(config({ baseUrl }))).toThrow(
			"The model server's address is not an http or https URL. Check ANTHROPIC_BASE_URL",
		);
	});
});
