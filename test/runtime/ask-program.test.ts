import { describe, expect, it } from "vitest";
import { createApprovalStore } from "../../src/permissions/approvals.ts";
import { createPermissionEngine } from "../../src/permissions/engine.ts";
import { createPermissionQueue, type PermissionQueue } from "../../src/permissions/queue.ts";
import { askProgram } from "../../src/runtime/permissions/ask-program.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { CWD, callOf, HOME } from "../permissions/harness.ts";

function setUp(onRequest: (...given: never[]) => unknown) {
	const clock = createFakeClock();
	const approvals = createApprovalStore({ clock, root: CWD, settingsFile: ".clowder/settings.local.json" });
	const engine = createPermissionEngine({ rules: [], cwd: CWD, homeDir: HOME, approvals });
	const warnings: string[] = [];
	const options = {
		permissions: { onRequest: onRequest as never },
		onWarning: (text: string) => void warnings.push(text),
	};
	const queue: PermissionQueue = createPermissionQueue({
		...{ engine, approvals, clock },
		...askProgram(
			options,
			() => queue,
			() => {},
		),
	});
	return { queue, warnings, approvals, request: () => queue.request(callOf("bash", { command: "make" })) };
}

const ANSWERS = '"once", "conversation", "always", or { deny: true, message?: text }';

describe("The program's handler of permission requests", () => {
	it("may answer at once", async () => {
		const { request, warnings } = setUp(() => "once");
		expect(await request()).toEqual({ decision: "allow" });
		expect(warnings).toEqual([]);
	});

	it.each([
		[undefined, "nothing"],
		[null, "null"],
		[true, "true"],
		["deny", '"deny"'],
		["yes", '"yes"'],
		[{ behavior: "allow" }, "an object"],
		[{ deny: true, message: 7 }, "an object"],
	])("denies when it answers %j, and says what an answer is", async (answer, shown) => {
		const { queue, request, warnings } = setUp(async () => answer);
		const why = `permissions.onRequest answered ${shown}, and must answer ${ANSWERS}`;
		const message = `Permission denied: nobody could be asked: ${why}`;
		expect(await request()).toEqual({ decision: "deny", message });
		expect(queue.denials()).toMatchObject([{ reason: "nobody", message }]);
		expect(queue.pending()).toEqual([]);
		expect(warnings).toEqual([`A permission was denied: ${why}`]);
	});

	it.each([
		[
			"throws",
			() => {
				throw new Error("no window");
			},
		],
		["rejects", () => Promise.reject(new Error("no window"))],
	])("denies when it %s, and says so", async (_how, handler) => {
		const { queue, request, warnings } = setUp(handler);
		const message = "Permission denied: nobody could be asked: permissions.onRequest failed: no window";
		expect(await request()).toEqual({ decision: "deny", message });
		expect(queue.denials()).toMatchObject([{ reason: "nobody" }]);
		expect(warnings).toEqual([`permissions.onRequest failed: no window. It must answer ${ANSWERS}`]);
	});
});
