import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { OutputCollector } from "../../../src/tools/process/output-collector.ts";
import { temporaryFolder } from "../support.ts";

const LIMITS = { maxCharacters: 1_100, maxFileBytes: 10_000 };

let file: string;
beforeEach(async () => {
	file = join(await temporaryFolder(), "output.txt");
});

describe("OutputCollector", () => {
	it("keeps short output whole, characters split over chunks included, and writes no file", async () => {
		const output = new OutputCollector(file, LIMITS);
		for (const byte of Buffer.from("a é 🐱")) void output.push(Buffer.from([byte]));
		expect(await output.finish()).toBe("a é 🐱");
		await expect(access(file)).rejects.toThrow();
	});

	it("keeps output of just the longest length whole", async () => {
		const output = new OutputCollector(file, LIMITS);
		void output.push(Buffer.from("x".repeat(1_100)));
		expect(await output.finish()).toBe("x".repeat(1_100));
	});

	it("keeps head and tail of longer output, the whole in a file", async () => {
		const output = new OutputCollector(file, LIMITS);
		const whole = `${"h".repeat(600)}${"m".repeat(600)}${"t".repeat(600)}`;
		for (let from = 0; from < whole.length; from += 100) await output.push(Buffer.from(whole.slice(from, from + 100)));
		expect(await output.finish()).toBe(
			`${"h".repeat(50)}\n\n... [1700 characters left out; the whole output (1.8 KB) is in ${file}]\n\n${"t".repeat(50)}`,
		);
		expect(await readFile(file, "utf8")).toBe(whole);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it("tears no surrogate pair apart", async () => {
		const output = new OutputCollector(file, LIMITS);
		await output.push(Buffer.from(`a${"🐱".repeat(1_000)}b`));
		const text = await output.finish();
		expect(text.startsWith(`a${"🐱".repeat(24)}\n\n... [`)).toBe(true);
		expect(text.endsWith(`]\n\n${"🐱".repeat(24)}b`)).toBe(true);
	});

	it("stops writing the file at its bound and says so", async () => {
		const output = new OutputCollector(file, LIMITS);
		for (let index = 0; index < 30; index += 1) await output.push(Buffer.alloc(1_000, 97 + (index % 26)));
		expect(await output.finish()).toContain(`the first 9.8 KB of 29.3 KB are in ${file}]`);
		expect((await stat(file)).size).toBe(10_000);
	});

	it("says why the file could not be written", async () => {
		const output = new OutputCollector(join(file, "no-folder", "x"), LIMITS);
		await output.push(Buffer.alloc(2_000, 97));
		expect(await output.finish()).toContain("the whole output (2.0 KB) could not be saved: ENOENT");
	});
});
