// Runs teammates that write to each other while some are killed, and holds what they committed against what was owed.

import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import type { Message } from "../../src/wire/conversation.ts";

export interface ChatPlan {
	readonly folder: string;
	/** Where the script and the tool that kills are. */
	readonly fixtures: URL;
	readonly members: number;
	/** A multiple of 25. */
	readonly perMember: number;
	readonly kills: number;
}

export interface ChatReport {
	/** Sends that were answered with a receipt, and that were refused with an error. */
	readonly acknowledged: number;
	readonly refused: number;
	/** Calls without a true answer: their sender was killed. */
	readonly unanswered: number;
	/** Messages in committed histories. */
	readonly read: number;
	readonly deaths: number;
	/** In words; empty when all was kept. */
	readonly faults: readonly string[];
	readonly seconds: number;
	/** Peak of the process, in MiB. */
	readonly peakRssMb: number;
}

export async function runChat({ folder, fixtures, members, perMember, kills }: ChatPlan): Promise<ChatReport> {
	const names = Array.from({ length: members }, (_, n) => `mate-${n}`);
	const script = new URL("model/chat-script.mjs", fixtures);
	script.searchParams.set("members", String(members));
	script.searchParams.set("perMember", String(perMember));
	script.searchParams.set("kills", pickKills(names, perMember / 25, kills).join(","));
	const supervisor = await createSupervisor({
		cwd: folder,
		stateDir: `${folder}/.state`,
		model: { provider: "scripted", module: script.href },
		tools: [{ module: new URL("tools/misbehave.mjs", fixtures) }],
		permissions: { mode: "bypassPermissions" },
		limits: { turns: 100_000 },
		team: { maxTeammates: members, restart: { type: "transient", intensity: kills + 1, periodMs: 3_600_000 } },
		warmThreads: 0,
	});
	let peakRss = 0;
	const sampling = setInterval(() => {
		peakRss = Math.max(peakRss, process.memoryUsage.rss());
	}, 100);
	try {
		const startedAt = performance.now();
		for (const name of names) await supervisor.team.spawn({ name, role: "writer", prompt: "Write to the others." });
		await allAtRest(supervisor, names);
		const seconds = (performance.now() - startedAt) / 1_000;
		const histories = new Map<string, Message[]>();
		for (const name of names) {
			histories.set(
				name,
				(await supervisor.team.log(name, 1_000_000)).map((json) => JSON.parse(json)),
			);
		}
		const deaths = supervisor.runs().filter(({ reason }) => reason === "exited" || reason === "crashed").length;
		return { ...compare(histories), deaths, seconds, peakRssMb: peakRss / 2 ** 20 };
	} finally {
		clearInterval(sampling);
		await supervisor.close();
	}
}

/** Different moments, spread over the members by arithmetic. */
function pickKills(names: readonly string[], batches: number, kills: number): string[] {
	return Array.from({ length: kills }, (_, n) => {
		const member = n % names.length;
		const batch = 1 + ((member * 7 + Math.floor(n / names.length)) % (batches - 1));
		return `${names[member]}:${batch * 25}`;
	});
}

async function allAtRest(supervisor: Supervisor, names: readonly string[]): Promise<void> {
	const isAtRest = () => {
		const failed = supervisor.team.list().find(({ status }) => status === "FAILED");
		if (failed) throw new Error(`${failed.name} failed: ${failed.error}`);
		return (
			supervisor.team.list().every(({ status }) => status === "IDLE") &&
			supervisor.bus.status().every(({ address, waiting }) => !names.includes(address) || waiting === 0)
		);
	};
	while (!isAtRest()) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface Sent {
	readonly body: string;
	readonly to: string;
	readonly outcome: "acknowledged" | "refused" | "unanswered";
}

function compare(histories: ReadonlyMap<string, readonly Message[]>) {
	const faults: string[] = [];
	const sent = [...histories].flatMap(([name, messages]) => sentBy(name, messages));
	const received = new Map([...histories].map(([name, messages]) => [name, receivedBy(messages)]));
	for (const { body, to, outcome } of sent) {
		const times = received.get(to)?.filter((text) => text === body).length ?? 0;
		if (outcome === "acknowledged" && times !== 1) faults.push(`${body}: acknowledged, read ${times} times by ${to}`);
		if (outcome === "refused" && times !== 0) faults.push(`${body}: refused, read by ${to}`);
		if (times > 1) faults.push(`${body}: read ${times} times`);
	}
	for (const [name, bodies] of received) {
		for (const sender of histories.keys()) {
			const numbers = bodies.flatMap((body) => (body.startsWith(`${sender} #`) ? [Number(body.split("#")[1])] : []));
			if (numbers.some((n, at) => at > 0 && n < (numbers[at - 1] ?? 0)))
				faults.push(`${sender} to ${name}: out of order`);
		}
	}
	const count = (outcome: Sent["outcome"]) => sent.filter((each) => each.outcome === outcome).length;
	return {
		acknowledged: count("acknowledged"),
		refused: count("refused"),
		unanswered: count("unanswered"),
		read: [...received.values()].reduce((sum, bodies) => sum + bodies.length, 0),
		faults,
	};
}

function sentBy(_name: string, messages: readonly Message[]): Sent[] {
	const results = new Map<string, string>();
	for (const { content } of messages) {
		for (const block of content) {
			if (block.type === "tool_result" && typeof block.content === "string")
				results.set(block.tool_use_id, block.content);
		}
	}
	return messages.flatMap(({ content }) =>
		content.flatMap((block): Sent[] => {
			if (block.type !== "tool_use" || block.name !== "send_message") return [];
			const { to, body } = block.input as { readonly to: string; readonly body: string };
			const result = results.get(block.id) ?? "";
			if (/^Message (delivered|queued)/.test(result)) return [{ to, body, outcome: "acknowledged" }];
			return [{ to, body, outcome: result.includes("was interrupted before") ? "unanswered" : "refused" }];
		}),
	);
}

function receivedBy(messages: readonly Message[]): string[] {
	return messages.flatMap(({ role, content }) =>
		role === "user"
			? content.flatMap((block) => {
					const text = block.type === "text" ? block.text : "";
					const [, body] = /^<agent-message from="mate-\d+"[^>]*>\n[^\n]*\n\n(mate-\d+ #\d+)\n/.exec(text) ?? [];
					return body === undefined ? [] : [body];
				})
			: [],
	);
}
