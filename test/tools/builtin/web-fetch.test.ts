import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import { ALLOW_PRIVATE_VARIABLE, createWebFetchTool, webFetchTool } from "../../../src/tools/builtin/web-fetch.ts";
import type { ToolContext } from "../../../src/tools/definition.ts";
import type { ResolveHost } from "../../../src/tools/web/address-guard.ts";
import { call, createTestContext, type TestContext, until } from "../support.ts";

let context: TestContext;
let server: Server | undefined;
let origin = "";
beforeEach(async () => {
	context = await createTestContext();
});
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
	server = undefined;
});

async function serve(listener: RequestListener): Promise<void> {
	server = createServer(listener).listen(0, "127.0.0.1");
	await new Promise((resolve) => server?.once("listening", resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const local = createWebFetchTool({ allowPrivate: true });
const fetchPage = (input: unknown, other: ToolContext = context) => call(local, input, other);

describe("a page", () => {
	it("comes as Markdown, with title and question", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "text/html; charset=utf-8");
			response.end("<title>Docs</title><h2>Install</h2><p>Run <code>npm i</code> 🐱</p>");
		});
		expect(await fetchPage({ url: `${origin}/docs`, prompt: "How to install?" })).toEqual({
			content: `Page: ${origin}/docs\nTitle: Docs\nQuestion: How to install?\n\n## Install\n\nRun \`npm i\` 🐱`,
			isError: false,
		});
	});

	it("comes as it is where it is JSON, unpacked", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "application/json");
			response.setHeader("content-encoding", "gzip");
			response.end(gzipSync('{"a": 1}'));
		});
		expect((await fetchPage({ url: origin })).content).toBe(`Page: ${origin}/\n\n{"a": 1}`);
	});

	it("is read in its own character set", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "text/plain; charset=iso-8859-1");
			response.end(Buffer.from("caf\xe9", "latin1"));
		});
		expect((await fetchPage({ url: origin })).content).toBe(`Page: ${origin}/\n\ncafé`);
	});

	it("is kept whole in a file where it is too long", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "text/plain");
			response.end("x".repeat(60_000));
		});
		const { content } = await fetchPage({ url: origin });
		const file = `${context.outputDir}/web_fetch-toolu_1.md`;
		expect(content.endsWith(`... [10000 characters left out; the whole text is in ${file}]`)).toBe(true);
		expect(await readFile(file, "utf8")).toBe("x".repeat(60_000));
	});

	it("is read up to 5 MB, also when it unpacks to more", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "text/plain");
			response.setHeader("content-encoding", "gzip");
			response.end(gzipSync(Buffer.alloc(20 * 1024 * 1024, 97)));
		});
		const { content, isError } = await fetchPage({ url: origin });
		expect(isError).toBe(false);
		expect(content.startsWith(`Page: ${origin}/\n[only the first 5.0 MB were read]\n\naaa`)).toBe(true);
	});

	it("is an error result with its text where the server says so", async () => {
		await serve((_request, response) => {
			response.writeHead(404, { "content-type": "text/html" });
			response.end("<p>Not here</p>");
		});
		expect(await fetchPage({ url: origin })).toEqual({
			content: `Error: ${origin}/ answered 404\n\nNot here`,
			isError: true,
		});
	});

	it("is refused where it is no text", async () => {
		await serve((_request, response) => {
			response.setHeader("content-type", "image/png");
			response.end(Buffer.alloc(2048));
		});
		expect((await fetchPage({ url: origin })).content).toBe(
			`Error: ${origin}/ is image/png (2.0 KB), not text; download it with bash if you need it`,
		);
	});
});

describe("redirects", () => {
	it("are followed on the same host", async () => {
		await serve((request, response) => {
			if (request.url === "/old") response.writeHead(301, { location: "/new" }).end();
			else response.end(`at ${request.url}`);
		});
		expect((await fetchPage({ url: `${origin}/old` })).content).toBe(`Page: ${origin}/new\n\nat /new`);
	});

	it("are reported, not followed, to another host", async () => {
		await serve((_request, response) => {
			response.writeHead(302, { location: "https://other.example/x" }).end();
		});
		expect((await fetchPage({ url: origin })).content).toBe(
			`${origin}/ redirects to another host: https://other.example/x\nCall web_fetch with that address to follow it.`,
		);
	});

	it("are refused to anything but http", async () => {
		await serve((_request, response) => {
			response.writeHead(302, { location: "file:///etc/passwd" }).end();
		});
		expect((await fetchPage({ url: origin })).content).toBe(
			"Error: url must start with http:// or https://: file:///etc/passwd",
		);
	});

	it("are not followed round and round", async () => {
		await serve((_request, response) => {
			response.writeHead(302, { location: "/again" }).end();
		});
		expect((await fetchPage({ url: origin })).content).toBe(`Error: more than 5 redirects from ${origin}/`);
	});
});

describe("private addresses", () => {
	it.each([
		"http://127.0.0.1/",
		"http://0x7f.1/",
		"http://2130706433/",
		"http://[::1]/",
		"http://[::ffff:127.0.0.1]/",
		"http://169.254.169.254/latest/meta-data",
		"http://10.0.0.1:8080/",
		"http://0/",
	])("are refused: %s", async (url) => {
		const result = await call(webFetchTool, { url }, context);
		expect(result.isError).toBe(true);
		expect(result.content).toMatch(/is not a public address; web_fetch is limited to the public internet$/);
	});

	it("are refused behind a name", async () => {
		const resolveHost: ResolveHost = (_host, _options, callback) =>
			callback(null, [
				{ address: "8.8.8.8", family: 4 },
				{ address: "127.0.0.1", family: 4 },
			]);
		const result = await call(createWebFetchTool({ resolveHost }), { url: "http://inner.example/" }, context);
		expect(result).toEqual({
			content: "Error: inner.example (127.0.0.1) is not a public address; web_fetch is limited to the public internet",
			isError: true,
		});
	});

	it("are open where the agent's environment allows it", async () => {
		await serve((_request, response) => response.end("hi"));
		const env = { ...context.env, [ALLOW_PRIVATE_VARIABLE]: "1" };
		expect((await call(webFetchTool, { url: origin }, { ...context, env })).content).toBe(`Page: ${origin}/\n\nhi`);
	});
});

describe("trouble", () => {
	it.each([
		[{}, "Error: url is required"],
		[{ url: "not a url" }, "Error: url is not a valid address: not a url"],
		[{ url: "ftp://a.example/" }, "Error: url must start with http:// or https://: ftp://a.example/"],
		[{ url: "http://me:secret@a.example/" }, "Error: url must not hold a user name or password"],
	])("names what is wrong with %j", async (input, message) => {
		expect((await fetchPage(input)).content).toBe(message);
	});

	it("says that nobody answers", async () => {
		await serve((_request, response) => response.end());
		server?.close();
		expect((await fetchPage({ url: origin })).content).toMatch(/^Error: cannot fetch http:.* ECONNREFUSED/);
	});

	it("gives up after 30 seconds", async () => {
		let asked = false;
		await serve((_request, response) => {
			asked = true;
			response.write("<p>begun");
		});
		const clock = createFakeClock();
		const running = fetchPage({ url: origin }, { ...context, clock });
		await until(() => asked);
		await clock.advance(30_000);
		expect(await running).toEqual({ content: `Error: Timeout (30s) while fetching ${origin}/`, isError: true });
	});

	it("stops on an abort", async () => {
		let asked = false;
		await serve(() => {
			asked = true;
		});
		const running = fetchPage({ url: origin });
		await until(() => asked);
		context.controller.abort();
		expect(await running).toEqual({ content: "Error: Interrupted", isError: true });
	});
});
