// Mail as text blocks, short enough for the window: what is too long goes to a file, as tool results do.

import type { TextBlock } from "../wire/conversation.ts";
import type { Envelope } from "../wire/envelope.ts";
import { textBlock } from "./blocks.ts";
import { excerptOf, saveOutput } from "./persisted-output.ts";
import { renderEnvelope } from "./render-envelope.ts";
import type { AgentDeps } from "./types.ts";

const MAX_BODY_CHARS = 30_000;
const SMALLEST_BODY_CHARS = 300;

/** One block per envelope, in their order. All together take about an eighth of the window at most. */
export function readMail(deps: AgentDeps, mail: readonly Envelope[]): Promise<TextBlock[]> {
	const share = Math.floor(deps.contextWindow / 2 / mail.length);
	const maxChars = Math.max(SMALLEST_BODY_CHARS, Math.min(MAX_BODY_CHARS, share));
	return Promise.all(mail.map(async (envelope) => textBlock(renderEnvelope(await shorten(deps, envelope, maxChars)))));
}

async function shorten(deps: AgentDeps, envelope: Envelope, maxChars: number): Promise<Envelope> {
	const { id, body } = envelope;
	if (body.length <= maxChars) return envelope;
	const place = { outputDir: deps.outputDir, runId: deps.identity.runId };
	const where = await saveOutput(place, `mail-${id}`, body).then(
		(saved) => `; the whole is in ${saved.path}`,
		() => "",
	);
	return { ...envelope, body: excerptOf(body, maxChars, where) };
}
