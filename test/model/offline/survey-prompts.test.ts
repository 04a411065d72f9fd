import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part } from "../../../src/model/offline/parts.ts";
import {
	parsePartPrompt,
	parseSurveyPrompt,
	partPrompt,
	surveyPrompt,
} from "../../../src/model/offline/survey-prompts.ts";

const text = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string({ unit: fc.constantFrom('"', "\\", "\n", ",", " ", "-", "x") }),
);
const scope = fc.record({
	path: text.filter((path) => path !== "."),
	depth: fc.constantFrom("all" as const, "direct" as const),
});
const scopes = fc.array(scope, { minLength: 1, maxLength: 3 });
const anyPart: fc.Arbitrary<Part> = fc.record({
	root: text,
	name: text,
	scopes,
	otherParts: fc.array(fc.record({ name: text, scopes }), { maxLength: 3 }),
});

describe("the prompt for a part", () => {
	it("names the tree, the part, the other parts and the shape of the answer", () => {
		const prompt = partPrompt({
			root: "/w/my shop",
			name: "src (files)",
			scopes: [{ path: "src", depth: "direct" }],
			otherParts: [{ name: "(root files)", scopes: [{ path: "", depth: "direct" }] }],
		});
		expect(prompt.split("\n").slice(0, 7)).toEqual([
			"Survey one part of a source tree and report on it. Only read; change nothing.",
			"",
			'Tree: "/w/my shop"',
			'Part: "src (files)"',
			'- the files directly in "src"',
			"Other parts, for the imports:",
			'- "(root files)" is the files directly in "."',
		]);
		expect(prompt).toContain("# Part report: `src`");
	});

	it("is read back as it was written, whatever the names are", () => {
		fc.assert(
			fc.property(anyPart, (part) => {
				expect(parsePartPrompt(partPrompt(part))).toEqual(part);
			}),
		);
	});

	it("is not seen in other prompts", () => {
		expect(parsePartPrompt("Look at src, please.")).toBeUndefined();
		expect(parsePartPrompt('Tree: "/w"\nPart: "src"\n\nNothing to look at.')).toBeUndefined();
	});
});

describe("the prompt for a survey", () => {
	it("begins with the folder", () => {
		expect(surveyPrompt("/w/shop").split("\n")[0]).toBe(
			'Survey the folder "/w/shop": divide it among subagents and merge what they find into one report.',
		);
	});

	it("is read back as it was written, whatever the folder is called", () => {
		fc.assert(
			fc.property(text, (dir) => {
				expect(parseSurveyPrompt(surveyPrompt(dir))).toBe(dir);
			}),
		);
	});

	it("is understood in the words of a person", () => {
		expect(parseSurveyPrompt("survey src")).toBe("src");
		expect(parseSurveyPrompt("Survey the folder /w/my shop.")).toBe("/w/my shop");
		expect(parseSurveyPrompt('survey folder "a: b"')).toBe("a: b");
		expect(parseSurveyPrompt("survey")).toBe(".");
		expect(parseSurveyPrompt("Please survey src")).toBeUndefined();
	});
});
