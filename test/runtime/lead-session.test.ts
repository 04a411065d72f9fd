import { expect, test } from "vitest";
import { createLeadSession } from "../../src/runtime/hooks/lead-session.ts";

test("gives each beginning of a session one end, and takes a new thread for neither", async () => {
	const told: string[] = [];
	const session = createLeadSession(
		{
			sessionStart: async (source) => {
				told.push(`start ${source}`);
				return `hello ${source}`;
			},
			sessionEnd: async (reason) => void told.push(`end ${reason}`),
		},
		"resume",
	);
	await session.end("other");
	expect(await session.begin()).toBe("hello resume");
	expect(session.begin()).toBeUndefined();
	await session.end("clear");
	await session.end("other");
	expect(await session.begin()).toBe("hello clear");
	await session.end("prompt_input_exit");
	await session.end("other");
	expect(session.begin()).toBeUndefined();
	expect(told).toEqual(["start resume", "end clear", "start clear", "end prompt_input_exit"]);
});
