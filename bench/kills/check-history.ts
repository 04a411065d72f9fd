// What must be true of the histories after each restart, as the server has them.

import { blocksOf, type RequestMessage, textOf } from "../../src/testing/messages-request.ts";
import { type Ledger, noteResults } from "./ledger.ts";

/**
 * What is missing or doubled in the lead's history, in words.
 *
 * @param since what was started before this prompt must have been told of by now.
 */
export function checkLead(messages: readonly RequestMessage[], ledger: Ledger, since: string): string[] {
	const troubles: string[] = [];
	const texts = messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content));
	for (const prompt of ledger.prompts) {
		if (texts.filter((text) => text === prompt).length !== 1) troubles.push(`${prompt} is missing or doubled`);
	}
	const told = texts.flatMap((text) => (/^<task-notification>\n<task-id>(.*?)<\/task-id>/.exec(text) ?? []).slice(1));
	for (const id of new Set(told)) {
		ledger.told.add(id);
		if (told.filter((each) => each === id).length !== 1) troubles.push(`the end of ${id} is told more than once`);
	}
	for (const id of ledger.told) if (!told.includes(id)) troubles.push(`the end of ${id} was told and is gone`);
	const before = messages.slice(
		0,
		messages.findIndex(({ content }) => textsOf(content).includes(since)),
	);
	const earlier = { ...ledger, jobs: new Set<string>(), subagents: new Set<string>(), mail: new Set<string>() };
	noteResults(before, earlier);
	for (const id of [...earlier.jobs, ...earlier.subagents]) {
		if (!told.includes(id)) troubles.push(`the end of ${id} is not told`);
	}
	// Each spawn of the teammate is a run of its own, which ended with its process.
	const spawns = [...earlier.mail].filter((body) => body.startsWith("GO-")).length;
	const ends = told.filter((id) => id.startsWith("mate_")).length;
	if (ends < spawns) troubles.push(`the teammate was spawned ${spawns} times, and ${ends} ends of it are told`);
	if (!JSON.stringify(messages).includes("- ann [FAILED] (interrupted): helps")) {
		troubles.push("the teammate is not listed as interrupted");
	}
	return troubles;
}

/** What of the teammate's mail it has not read, or has read twice. */
export function checkTeammate(messages: readonly RequestMessage[], ledger: Ledger): string[] {
	const texts = messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content));
	const bodies = texts.flatMap((text) => text.match(/(?:MAIL|GO)-C?\d+\./g) ?? []);
	const missing = [...ledger.mail].filter((body) => !bodies.includes(body));
	const doubled = [...new Set(bodies)].filter((body) => bodies.filter((each) => each === body).length > 1);
	return [
		...missing.map((body) => `the teammate has not read ${body}`),
		...doubled.map((body) => `the teammate has read ${body} twice`),
	];
}

const textsOf = (content: RequestMessage["content"]) =>
	blocksOf(content)
		.filter(({ type }) => type === "text")
		.map((block) => textOf([block]));
