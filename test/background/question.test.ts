import { describe, expect, it } from "vitest";
import { findQuestion } from "../../src/background/question.ts";

describe("findQuestion", () => {
	it.each([
		["Do you want to continue? [Y/n] ", "Do you want to continue? [Y/n]"],
		["Done.\nOverwrite a.txt? (yes/no): ", "Overwrite a.txt? (yes/no):"],
		["Password for git@example.org: ", "Password for git@example.org:"],
		["Press any key to continue . . .\n", "Press any key to continue . . ."],
		["Really? (y/n)\n", "Really? (y/n)"],
		["What is your name? ", "What is your name?"],
	])("finds %j", (output, question) => {
		expect(findQuestion(output)).toBe(question);
	});

	it.each([
		"",
		"\n\n",
		"Listening on http://localhost:3000\n",
		"Is this a test?\nNo.\n",
		"what was that?\n",
		"compiling: ",
	])("sees none in %j", (output) => {
		expect(findQuestion(output)).toBeUndefined();
	});
});
