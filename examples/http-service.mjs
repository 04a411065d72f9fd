// A small HTTP service that embeds the supervisor. Agents work in threads of their own: whatever one of them does,
// this process goes on answering.
//
//   node examples/http-service.mjs          with ANTHROPIC_API_KEY, or MODEL=offline
//
//   POST   /runs            {"description","prompt","agentType"?}  → 202 {"id"}
//   GET    /runs/ID         → how it is doing, and its result once it has ended
//   GET    /runs/ID/events  → server-sent events, from a snapshot to the end
//   DELETE /runs/ID         → stops it
//   GET    /status          → what is running

import { createServer } from "node:http";
import { createSupervisor, isClowderError } from "clowder";

const supervisor = await createSupervisor({
	cwd: process.env.WORKSPACE ?? process.cwd(),
	model: process.env.MODEL,
	stateDir: process.env.STATE_DIR,
	maxConcurrent: 4,
	maxQueued: 20,
	limits: { turns: 30, wallMs: 10 * 60_000 },
});
const runs = new Map();

async function readJson(request) {
	let text = "";
	for await (const chunk of request) {
		text += chunk;
		if (text.length > 1_000_000) throw Object.assign(new Error("The request is too large"), { status: 413 });
	}
	const refuse = (why) => Object.assign(new Error(`The body ${why}`), { status: 400 });
	let body;
	try {
		body = JSON.parse(text);
	} catch {
		throw refuse("is not JSON");
	}
	if (typeof body !== "object" || body === null || Array.isArray(body)) throw refuse("must be a JSON object");
	return body;
}

function send(response, status, body) {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(`${JSON.stringify(body)}\n`);
}

async function sendEvents(run, response) {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
	for await (const event of run.events()) {
		if (response.destroyed) return;
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	}
	response.end();
}

async function handle(request, response) {
	const { pathname } = new URL(request.url, "http://localhost");
	const [, collection, id, detail] = pathname.split("/");
	if (request.method === "GET" && pathname === "/status") return send(response, 200, supervisor.status());
	if (collection !== "runs") return send(response, 404, { error: "Not found" });
	if (request.method === "POST" && id === undefined) {
		const { description, prompt, agentType } = await readJson(request);
		const run = supervisor.spawn({ description, prompt, agentType });
		runs.set(run.id, run);
		// A service that runs for months keeps no run for ever.
		void run.result().then(() => setTimeout(() => runs.delete(run.id), 60 * 60_000).unref());
		return send(response, 202, { id: run.id });
	}
	const run = runs.get(id);
	if (!run) return send(response, 404, { error: `There is no run ${id}` });
	if (request.method === "DELETE") return send(response, 200, await run.cancel("the client asked for it"));
	if (detail === "events") return sendEvents(run, response);
	send(response, 200, run.record);
}

const server = createServer((request, response) => {
	handle(request, response).catch((error) => {
		const status = error.status ?? (isClowderError(error) && error.code === "ERR_MAX_CONCURRENT" ? 429 : 400);
		if (response.headersSent) response.destroy();
		else send(response, status, { error: error.message, code: error.code });
	});
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
	console.log(`http://127.0.0.1:${server.address().port}`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
	process.once(signal, async () => {
		server.close();
		server.closeAllConnections();
		await supervisor.close(`the service got ${signal}`);
		process.exit(0);
	});
}
