import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadTranscript, openTranscript } from "../../src/store/transcripts.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { makeTempDir } from "./temp-dir.ts";

const clock = createFakeClock(1_000);
const newPath = () => join(makeTempDir(), "session", "agent.jsonl");
const user = (text: string) => JSON.stringify({ role: "user", content: [{ type: "text", text }] });
const assistant = (text: string) => JSON.stringify({ role: "assistant", content: [{ type: "text", text }] });

test("writes one line per message, with the mail it made part of the history", async () => {
	const path = newPath();
	const transcript = await openTranscript(path, { clock });
	await transcript.append([assistant("a"), user("b")], ["envelope_1", "envelope_2"]);
	await transcript.append([], ["envelope_3"]);
	await transcript.close();
	expect(readFileSync(path, "utf8")).toBe(
		`{"type":"assistant","at":1000,"message":${assistant("a")}}\n` +
			`{"type":"user","at":1000,"message":${user("b")},"acknowledged":["envelope_1","envelope_2"]}\n` +
			`{"type":"acknowledged","at":1000,"acknowledged":["envelope_3"]}\n`,
	);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(await loadTranscript(path)).toEqual({
		messagesJson: [assistant("a"), user("b")],
		acknowledged: ["envelope_1", "envelope_2", "envelope_3"],
		faults: [],
	});
});

test("reads as empty when there is no file yet", async () => {
	expect(await loadTranscript(newPath())).toEqual({ messagesJson: [], acknowledged: [], faults: [] });
});

test("keeps the order of calls that did not wait for each other", async () => {
	const transcript = await openTranscript(newPath(), { clock });
	await Promise.all(Array.from({ length: 300 }, (_, index) => transcript.append([user(String(index))])));
	const { messagesJson } = await transcript.load();
	expect(messagesJson).toEqual(Array.from({ length: 300 }, (_, index) => user(String(index))));
	await transcript.close();
});

test("shows with load what was appended before it without waiting", async () => {
	const transcript = await openTranscript(newPath(), { clock });
	const appended = transcript.append([user("a")]);
	expect((await transcript.load()).messagesJson).toEqual([user("a")]);
	await appended;
	await transcript.close();
});

test("puts another history in the place of the former one and keeps what was acknowledged", async () => {
	const path = newPath();
	const transcript = await openTranscript(path, { clock });
	await transcript.append([user("a"), assistant("b")], ["envelope_1"]);
	await transcript.replaceAll([user("summary")], ["envelope_2"]);
	await transcript.append([assistant("c")]);
	await transcript.close();
	expect(await loadTranscript(path)).toEqual({
		messagesJson: [user("summary"), assistant("c")],
		acknowledged: ["envelope_1", "envelope_2"],
		faults: [],
	});
	expect(readFileSync(path, "utf8").split("\n")[2]).toBe(
		`{"type":"replaced","at":1000,"messages":[${user("summary")}],"acknowledged":["envelope_2"]}`,
	);
});

test("drops a torn last line, reports it, and begins the next one on a line of its own", async () => {
	const path = newPath();
	const before = await openTranscript(path, { clock });
	await before.append([user("a")], ["envelope_1"]);
	await before.append([assistant("b")], ["envelope_2"]);
	await before.close();
	truncateSync(path, statSync(path).size - 10);
	expect(await loadTranscript(path)).toEqual({
		messagesJson: [user("a")],
		acknowledged: ["envelope_1"],
		faults: [{ place: path, key: "line 2", reason: "not a whole JSON object" }],
	});
	const after = await openTranscript(path, { clock });
	await after.append([assistant("c")]);
	expect(await after.load()).toEqual({
		messagesJson: [user("a"), assistant("c")],
		acknowledged: ["envelope_1"],
		faults: [{ place: path, key: "line 2", reason: "not a whole JSON object" }],
	});
	await after.close();
});

test("keeps the former history when the line that replaces it was torn", async () => {
	const path = newPath();
	const transcript = await openTranscript(path, { clock });
	await transcript.append([user("a")]);
	await transcript.replaceAll([user("s1"), user("s2")]);
	await transcript.close();
	truncateSync(path, statSync(path).size - 5);
	expect((await loadTranscript(path)).messagesJson).toEqual([user("a")]);
});

test("skips lines that are not a transcript's and names each", async () => {
	const path = newPath();
	const transcript = await openTranscript(path, { clock });
	await transcript.append([user("a")]);
	appendFileSync(path, 'noise\n\n{"type":"later","at":1}\n{"type":"user","at":1,"message":{"role":"system"}}\n');
	await transcript.append([user("b")]);
	await transcript.close();
	const { messagesJson, faults } = await loadTranscript(path);
	expect(messagesJson).toEqual([user("a"), user("b")]);
	expect(faults.map((fault) => fault.key)).toEqual(["line 2", "line 4", "line 5"]);
	expect(faults[1]?.reason).toContain("type");
	expect(faults[2]?.reason).toContain("message.role");
});

test("keeps a message with line separators on one line", async () => {
	const path = newPath();
	const transcript = await openTranscript(path, { clock });
	const odd = user("a\u2028b\u2029c\r\nd");
	await transcript.append([odd, JSON.stringify({ role: "user", content: [] }, null, 2)]);
	await transcript.close();
	expect((await loadTranscript(path)).messagesJson).toEqual([odd, '{"role":"user","content":[]}']);
});

test("refuses a message that is none and goes on with the next", async () => {
	const transcript = await openTranscript(newPath(), { clock });
	const forged = `${user("a").slice(0, -1)}},"acknowledged":["envelope_9"],"x":{}`;
	for (const text of ["no JSON", "[]", '{"role":"system","content":"x"}', '{"role":"user"}', forged]) {
		await expect(transcript.append([text]), text).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
	}
	await transcript.append([user("fine")]);
	expect(await transcript.load()).toEqual({ messagesJson: [user("fine")], acknowledged: [], faults: [] });
	await transcript.close();
});

test("refuses more than may wait, and every later line, until the whole history was written anew", async () => {
	const transcript = await openTranscript(newPath(), { clock, maxPendingBytes: 300 });
	const results = await Promise.allSettled([
		transcript.append([user("a".repeat(100))]),
		transcript.append([user("b".repeat(200))]),
		transcript.append([user("c")]),
	]);
	expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "rejected"]);
	expect(results[1]).toMatchObject({ reason: { code: "ERR_STATE_DIR" } });
	await expect(transcript.append([user("d")])).rejects.toMatchObject({ code: "ERR_STATE_DIR" });
	await transcript.replaceAll([user("whole")]);
	await transcript.append([user("e")]);
	expect((await transcript.load()).messagesJson).toEqual([user("whole"), user("e")]);
	await transcript.close();
});

test.runIf(existsSync("/dev/full"))("says that the disk is full and refuses to leave a hole", async () => {
	const transcript = await openTranscript("/dev/full", { clock });
	const full = { code: "ERR_STATE_DIR", remedy: "Free some space on its disk" };
	await expect(transcript.append([user("a")])).rejects.toMatchObject(full);
	await expect(transcript.append([user("b")])).rejects.toMatchObject(full);
	await expect(transcript.close()).rejects.toMatchObject({ code: "ERR_STATE_DIR" });
});

test("refuses a folder in the place of the file and calls after close", async () => {
	const path = newPath();
	mkdirSync(path, { recursive: true });
	await expect(openTranscript(path, { clock })).rejects.toMatchObject({ code: "ERR_STATE_DIR" });
	await expect(loadTranscript(path)).rejects.toMatchObject({ code: "ERR_STATE_DIR" });
	const transcript = await openTranscript(newPath(), { clock });
	await transcript.close();
	await expect(transcript.append([user("a")])).rejects.toMatchObject({ code: "ERR_CLOSED" });
	await transcript.close();
});

test("loads a prefix of what was committed, whatever byte the file was cut at", async () => {
	const commits = fc.array(
		fc.record({
			texts: fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 3 }),
			replaces: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 8 },
	);
	const folder = makeTempDir();
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(commits, fc.double({ min: 0, max: 1, noNaN: true }), async (list, share) => {
			const path = join(folder, `${runs++}.jsonl`);
			const transcript = await openTranscript(path, { clock });
			const histories: string[][] = [[]];
			for (const { texts, replaces } of list) {
				const messages = texts.map(user);
				const before = histories.at(-1) ?? [];
				if (replaces) await transcript.replaceAll(messages);
				else await transcript.append(messages);
				if (replaces) histories.push(messages);
				else histories.push(...messages.map((_, index) => [...before, ...messages.slice(0, index + 1)]));
			}
			await transcript.close();
			const bytes = readFileSync(path);
			writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)));
			const { messagesJson } = await loadTranscript(path);
			expect(histories).toContainEqual(messagesJson);
		}),
		{ numRuns: 30 },
	);
});
