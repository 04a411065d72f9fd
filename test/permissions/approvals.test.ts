import { describe, expect, it } from "vitest";
import { createApprovalStore } from "../../src/permissions/approvals.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

const build = () =>
	createApprovalStore({
		clock: createFakeClock(5_000),
		root: "/work/project",
		settingsFile: ".clowder/settings.local.json",
	});
const approval = (scope: "once" | "conversation" | "always", rules: string[]) => ({
	scope,
	rules,
	agent: "lead",
	toolName: "bash",
});

describe("ApprovalStore", () => {
	it("makes rules of conversation and always, and none of once", () => {
		const store = build();
		store.add(approval("once", []));
		store.add(approval("conversation", ["Bash(make)"]));
		store.add(approval("always", ["Bash(ls)"]));
		expect(store.rules().map((rule) => [rule.kind, rule.text, rule.source.label])).toEqual([
			["allow", "Bash(make)", "this conversation"],
			["allow", "Bash(ls)", ".clowder/settings.local.json"],
		]);
		expect(store.list().map(({ scope, at }) => [scope, at])).toEqual([
			["once", 5_000],
			["conversation", 5_000],
			["always", 5_000],
		]);
	});

	it("forgets the conversation on clear, and keeps what is in the settings file", () => {
		const store = build();
		store.add(approval("conversation", ["Bash(make)"]));
		store.add(approval("always", ["Bash(ls)"]));
		store.clear();
		expect(store.rules().map((rule) => rule.text)).toEqual(["Bash(ls)"]);
		expect(store.list()).toEqual([]);
	});

	it("refuses a rule that cannot be read, and changes nothing", () => {
		const store = build();
		expect(() => store.add(approval("always", ["Bash(ls)", "Bash("]))).toThrowError(
			expect.objectContaining({ code: "ERR_PERMISSION_RULE" }),
		);
		expect(store.rules()).toEqual([]);
	});
});
