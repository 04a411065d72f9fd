import { expect, it } from "vitest";
import { runChat } from "../../bench/team/chat.ts";
import { temporaryFolder } from "../support/supervisor.ts";

it("has every acknowledged message in exactly one history, in its sender's order, while teammates are killed", async () => {
	const report = await runChat({
		folder: await temporaryFolder(),
		fixtures: new URL("../fixtures/", import.meta.url),
		members: 4,
		perMember: 100,
		kills: 4,
	});
	expect(report).toMatchObject({ faults: [], deaths: 4, refused: 0 });
	expect(report.acknowledged + report.unanswered).toBe(400);
});
