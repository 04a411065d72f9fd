import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactCommandSpec, parseCommandPattern } from "../../../src/permissions/rules/command-pattern.ts";
import { canMeet, type HoledText, matchesText, parseStars } from "../../../src/permissions/rules/holed-text.ts";

const fits = (pattern: string, command: string) =>
	(parseCommandPattern(pattern) ?? []).some((alternative) => matchesText(alternative, command));

describe("Bash patterns", () => {
	it.each([
		["npm test", "npm test", true],
		["npm test", "npm test x", false],
		["npm test", "npm tes", false],
		["npm run test *", "npm run test", true],
		["npm run test *", "npm run test unit", true],
		["npm run test *", "npm run tests", false],
		["npm run test:*", "npm run test", true],
		["npm run test:*", "npm run test unit", true],
		["npm run test:*", "npm run tests", false],
		["ls *", "ls -la", true],
		["ls *", "ls", true],
		["ls *", "lsof", false],
		["ls*", "lsof", true],
		["ls*", "ls -la", true],
		["* --version", "node --version", true],
		["* --version", "node --versions", false],
		["git * main", "git push origin main", true],
		["git * main", "git main", false],
		["git:* push", "git push", false],
		["git:* push", "git: push", true],
		["echo \\*", "echo *", true],
		["echo \\*", "echo x", false],
		["a*a*a", "aa", false],
		["a*a*a", "aaa", true],
		["*", "anything at all", true],
	])("lets %j fit %j: %s", (pattern, command, expected) => {
		expect(fits(pattern, command)).toBe(expected);
	});

	it("takes linear time for hostile patterns", () => {
		const pattern = parseStars(`${"a*".repeat(1000)}b`);
		expect(matchesText(pattern, "a".repeat(30_000))).toBe(false);
	});

	it("makes a pattern that fits one command and no other", () => {
		const command = fc.string({ unit: fc.constantFrom("a", "*", "\\", " ", ":", "b"), minLength: 1, maxLength: 12 });
		fc.assert(
			fc.property(command, command, (one, other) => {
				const pattern = exactCommandSpec(one);
				expect(fits(pattern, one)).toBe(true);
				expect(fits(pattern, other)).toBe(one === other);
			}),
		);
	});
});

const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 });
const holed = fc.array(text, { minLength: 1, maxLength: 4 }).map((pieces) => pieces as unknown as HoledText);

// The plain definition, exponential but obvious.
function matchesSlowly(pattern: HoledText, value: string): boolean {
	const [first, ...rest] = pattern;
	if (!value.startsWith(first)) return false;
	if (rest.length === 0) return value === first;
	const [next = "", ...others] = rest;
	for (let at = first.length; at <= value.length; at += 1) {
		if (matchesSlowly([next, ...others], value.slice(at))) return true;
	}
	return false;
}

describe("matchesText", () => {
	it("agrees with the plain definition", () => {
		const value = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
		fc.assert(
			fc.property(holed, value, (pattern, sample) => matchesText(pattern, sample) === matchesSlowly(pattern, sample)),
		);
	});
});

describe("canMeet", () => {
	it.each([
		["rm -rf *", "rm *", true],
		["git push *", "git *", true],
		["git push *", "git pull *", false],
		["*.env", "*.ts", false],
		["a*", "*b", true],
	])("tells whether %j and %j have a text in common: %s", (one, other, expected) => {
		expect(canMeet(parseStars(one), parseStars(other))).toBe(expected);
	});

	it("never misses a text that fits both", () => {
		const value = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
		fc.assert(
			fc.property(holed, holed, value, (one, other, sample) => {
				if (matchesText(one, sample) && matchesText(other, sample)) expect(canMeet(one, other)).toBe(true);
			}),
		);
	});

	it("never claims one that does not exist", () => {
		fc.assert(
			fc.property(holed, holed, (one, other) => {
				if (!canMeet(one, other)) return;
				const middle = [...one.slice(1, -1), ...other.slice(1, -1)].join("");
				const longest = (pieces: (string | undefined)[]) =>
					pieces.reduce((best: string, piece) => ((piece ?? "").length > best.length ? (piece ?? "") : best), "");
				const start = longest([one[0], other[0]]);
				const end = longest([one.at(-1), other.at(-1)]);
				const witness = one.length === 1 ? one[0] : other.length === 1 ? other[0] : start + middle + end;
				expect(matchesText(one, witness) && matchesText(other, witness)).toBe(true);
			}),
		);
	});
});
