import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseCredentials, loadModelCredentials } from "../../src/config/env-file.ts";
import type { ProjectFiles } from "../../src/config/project-folders.ts";
import { makeTree } from "./make-tree.ts";

const env = (name: string, values: Record<string, string>) => ({ path: name, env: values });
const key = (value: string, url?: string) => ({
	ANTHROPIC_API_KEY: value,
	...(url ? { ANTHROPIC_BASE_URL: url } : {}),
});

describe("chooseCredentials", () => {
	it("takes key, token, address and model from the environment", () => {
		const own = { ...key("k1", "https://own"), ANTHROPIC_AUTH_TOKEN: "t1", ANTHROPIC_MODEL: "m1", MODEL_NAME: "m2" };
		expect(chooseCredentials(own, [])).toEqual({
			credentials: { apiKey: "k1", authToken: "t1", baseUrl: "https://own", model: "m1" },
			source: "environment",
			notes: [],
		});
	});

	it("never sends the person's key to an address from a file of the folder", () => {
		const result = chooseCredentials(key("mine"), [env(".env", { ANTHROPIC_BASE_URL: "https://evil" })]);
		expect(result.credentials).toEqual({ apiKey: "mine" });
		expect(result.notes).toEqual([
			"ANTHROPIC_BASE_URL in .env is ignored: an address counts only together with a key from the same file",
		]);
	});

	it("never sends the person's key to a file's address even when the file brings a key too", () => {
		const result = chooseCredentials(key("mine"), [env(".env", key("theirs", "https://evil"))]);
		expect(result.credentials).toEqual({ apiKey: "mine" });
		expect(result.notes).toEqual(["ANTHROPIC_BASE_URL in .env is ignored: the key in force comes from elsewhere"]);
	});

	it("never sends the person's token to a file's address beside the file's key", () => {
		const own = { ANTHROPIC_AUTH_TOKEN: "mine" };
		expect(chooseCredentials(own, [env(".env", key("theirs", "https://evil"))]).credentials).toEqual({
			authToken: "mine",
		});
	});

	it("takes key and address together from the file when the person has no key", () => {
		const result = chooseCredentials({}, [env(".env", { ...key("k", "http://localhost:1"), MODEL_NAME: "local" })]);
		expect(result).toEqual({
			credentials: { apiKey: "k", baseUrl: "http://localhost:1", model: "local" },
			source: ".env",
			notes: [],
		});
	});

	it("does not mix the key of one file with the address of another", () => {
		const files = [env("a", { ANTHROPIC_BASE_URL: "https://evil" }), env("b", key("k"))];
		expect(chooseCredentials({}, files).credentials).toEqual({ apiKey: "k" });
	});

	it("lets the person's own address serve the file's key", () => {
		expect(chooseCredentials({ ANTHROPIC_BASE_URL: "https://own" }, [env(".env", key("k"))]).credentials).toEqual({
			apiKey: "k",
			baseUrl: "https://own",
		});
	});

	it("takes an address without any key from the environment", () => {
		expect(chooseCredentials({ ANTHROPIC_BASE_URL: "http://localhost:1" }, [])).toEqual({
			credentials: { baseUrl: "http://localhost:1" },
			source: "none",
			notes: [],
		});
	});

	it("counts empty values for nothing and trims pasted ones", () => {
		const own = { ANTHROPIC_API_KEY: " ", ANTHROPIC_BASE_URL: "" };
		expect(chooseCredentials(own, [env(".env", key("k\n", "https://x "))]).credentials).toEqual({
			apiKey: "k",
			baseUrl: "https://x",
		});
	});

	it("never tells a value in a note or source", () => {
		const result = chooseCredentials(key("secret-1"), [env(".env", key("secret-2", "https://secret-3"))]);
		expect(JSON.stringify([result.notes, result.source])).not.toContain("secret");
	});
});

describe("loadModelCredentials", () => {
	async function load(
		files: Record<string, string>,
		own: Record<string, string> = {},
		projectFiles: ProjectFiles = "untrusted",
	) {
		const root = await makeTree({ "home/": "", "repo/": "", ...files });
		return loadModelCredentials({ cwd: join(root, "repo"), homeDir: join(root, "home"), env: own, projectFiles });
	}

	it("reads a .env file with quotes, comments and exports", async () => {
		const text =
			"\uFEFF# keys\nexport ANTHROPIC_API_KEY='k1'\nANTHROPIC_BASE_URL=\"http://localhost:9\" # here\n\nMODEL_NAME = m\n";
		expect((await load({ "repo/.env": text })).credentials).toEqual({
			apiKey: "k1",
			baseUrl: "http://localhost:9",
			model: "m",
		});
	});

	it("takes what the person's settings say about the environment over the environment itself", async () => {
		const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: "https://proxy", ANTHROPIC_AUTH_TOKEN: "t" } });
		const { credentials } = await load({ "home/.claude/settings.json": settings }, key("k"));
		expect(credentials).toEqual({ apiKey: "k", authToken: "t", baseUrl: "https://proxy" });
	});

	it("takes a project's settings for a file of the folder, and only when it is trusted", async () => {
		const settings = JSON.stringify({ env: key("theirs", "https://evil") });
		const files = { "repo/.claude/settings.json": settings };
		expect((await load(files, {}, "untrusted")).credentials).toEqual({});
		expect((await load(files, {}, "trusted")).credentials).toEqual({ apiKey: "theirs", baseUrl: "https://evil" });
		expect((await load(files, key("mine"), "trusted")).credentials).toEqual({ apiKey: "mine" });
	});

	it("gives CLOWDER_ variables of a trusted folder that the environment does not have", async () => {
		const files = { "repo/.env": "CLOWDER_A=1\nCLOWDER_B=2\nOTHER=3\n" };
		expect((await load(files, { CLOWDER_B: "own" }, "trusted")).clowderEnv).toEqual({ CLOWDER_A: "1" });
		expect((await load(files, {}, "untrusted")).clowderEnv).toEqual({});
	});

	it("leaves .env out together with the project's files", async () => {
		expect((await load({ "repo/.env": "ANTHROPIC_API_KEY=k" }, {}, "excluded")).credentials).toEqual({});
	});
});
