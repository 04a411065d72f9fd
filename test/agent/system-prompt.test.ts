import { expect, test } from "vitest";
import { buildSystemPrompt } from "../../src/agent/system-prompt.ts";

const parts = {
	prompt: "You explore code.\n",
	role: "subagent",
	cwd: "/repo",
	instructions: [
		{ path: "/home/me/CLAUDE.md", text: "Be brief.\r\n" },
		{ path: "/repo/CLAUDE.md", text: "Use tabs." },
	],
	skills: [
		{ name: "pdf", description: "Reads\n PDF files" },
		{ name: "docx", description: "Reads Word files" },
	],
	agentTypes: [{ name: "explore", description: "Looks around" }],
} as const;

test("gives the same bytes whatever order the catalogs come in", () => {
	expect(buildSystemPrompt({ ...parts, skills: parts.skills.toReversed() })).toBe(buildSystemPrompt(parts));
});

test("holds the type's prompt, the folder, the catalogs and the instructions in their order", () => {
	const text = buildSystemPrompt(parts);
	const places = [
		"You explore code.",
		"Only your last message reaches that agent.",
		"Working folder: /repo",
		"- explore: Looks around",
		"- docx: Reads Word files\n- pdf: Reads PDF files",
		"From /home/me/CLAUDE.md:\n\nBe brief.\n\nFrom /repo/CLAUDE.md:\n\nUse tabs.",
	].map((piece) => text.indexOf(piece));
	expect(places).toEqual(places.toSorted((a, b) => a - b));
	expect(places[0]).toBe(0);
});

test("leaves out sections that have nothing to say", () => {
	const text = buildSystemPrompt({ prompt: "P", role: "lead", cwd: "/repo" });
	expect(text).not.toMatch(/\n{3,}|Skills|Agent types|Instructions of the user/);
});
