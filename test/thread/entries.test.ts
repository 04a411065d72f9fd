import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { entryUrl } from "../../src/thread/entries.ts";

function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "clowder-entries-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

test("finds entries in a folder that is given as a path or a URL, with and without a slash at its end", () => {
	const folder = newFolder();
	mkdirSync(join(folder, "workers"));
	const entry = join(folder, "workers", "lead.worker.js");
	writeFileSync(entry, "");
	const url = pathToFileURL(join(folder, "workers")).href;
	for (const given of [join(folder, "workers"), url, `${url}/`, new URL(url)]) {
		expect(entryUrl("lead", given).href).toBe(pathToFileURL(entry).href);
	}
});

test("names the entry that is missing, and what is no folder", () => {
	const folder = newFolder();
	expect(() => entryUrl("subagent", folder)).toThrow(
		expect.objectContaining({
			code: "ERR_THREAD_START",
			message: `There is no thread entry ${join(folder, "subagent.cjs")}. Copy the whole folder dist/workers of the package clowder there, or name its place in the option workerUrl`,
		}),
	);
	for (const given of ["/nope", "workers", "https://example.com/workers/", join(folder, "no-such")]) {
		expect(() => entryUrl("lead", given)).toThrow(
			expect.objectContaining({
				code: "ERR_BAD_OPTION",
				message: `workerUrl '${given}' is not an existing folder. Give the absolute path or the file URL of the folder with the thread entries`,
			}),
		);
	}
});
