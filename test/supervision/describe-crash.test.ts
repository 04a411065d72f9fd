import { expect, it } from "vitest";
import { describeCrash } from "../../src/supervision/describe-crash.ts";

const crash = (message: string, stack: string) => describeCrash(Object.assign(new Error(message), { stack }));

it.each([
	[
		"TypeError: x\n    at node:internal/a:1:2\n    at Object.run (file:///srv/my%20tools/a.mjs?v=1:12:5)",
		"TypeError: deep bug (/srv/my tools/a.mjs:12)",
	],
	["DeepBug: deep bug\n    at file:///srv/a.mjs:3:9\n    at /srv/b.cjs:4:1", "DeepBug: deep bug (/srv/a.mjs:3)"],
	["Error [ERR_X]: deep bug\n    at new A (/srv/b.cjs:4:1)", "Error: deep bug (/srv/b.cjs:4)"],
	["Error: deep bug\n    at run (C:\\tools\\a.js:7:1)", "Error: deep bug (C:\\tools\\a.js:7)"],
	["Error: deep bug\n    at node:events:1:2", "Error: deep bug"],
	["", "Error: deep bug"],
])("names the class of the error and the first place outside Node: %j", (stack, text) => {
	expect(crash("deep bug", stack)).toBe(text);
});
