import { describe, expect, it, vi } from "vitest";
import { surveyPrompt } from "../../../src/model/offline/survey-prompts.ts";
import { createAgent, createLead, EXPLORE_TOOLS, makeTree, prompt, realTools, userMessage } from "./fake-loop.ts";

// Real processes: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const TREE = {
	"package.json": '{\n  "name": "shop",\n  "description": "A small shop.",\n  "bin": "src/cli.ts"\n}\n',
	"README.md": "# Shop\n\nSells *things*.\n",
	"src/cli.ts": '#!/usr/bin/env node\nimport { cart } from "./cart.ts";\nimport { sum } from "../lib/sum.ts";\n',
	"src/cart.ts": "// The cart.\nexport const cart = [];\nexport function add() {}\n// TODO: prices\n",
	"lib/sum.ts": "export function sum() {}\n",
	"docs/guide.md": "Guide\n=====\n\nHow to shop. FIXME later\n",
	"docs/logo.png": Buffer.from([0x89, 0x50, 0, 0, 1, 2]),
	"scripts/run.py": 'import lib.sum\n\ndef main():\n    pass\n\nif __name__ == "__main__":\n    main()\n',
	"node_modules/x/index.js": "export const x = 1;\n",
	"dist/out.js": "var x;\n",
	".github/workflows/ci.yml": "on: push\n",
};

describe("a survey by the offline model", () => {
	it("merges what the explore agents found with real tools", async () => {
		const root = await makeTree(TREE);
		const lead = createLead(await realTools(root));
		await prompt(lead.agent, userMessage(surveyPrompt(root)));
		const report = await lead.finish();
		expect(report.replaceAll(root, "/w")).toBe(`# Survey of \`/w\`

5 of 5 parts reported: 8 files, 27 lines, 2 TODO/FIXME, 3 entry points, 4 exports.

| part | languages | files | lines | TODO/FIXME | largest file | entry points | exports |
| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |
| \`(root files)\` | JSON, Markdown | 2 | 8 | 0 | \`package.json\` (5) | 1 | 0 |
| \`docs\` | Markdown, images | 2 | 4 | 1 | \`docs/guide.md\` (4) | 0 | 0 |
| \`src\` | TypeScript | 2 | 7 | 1 | \`src/cart.ts\` (4) | 1 | 2 |
| \`lib\` | TypeScript | 1 | 1 | 0 | \`lib/sum.ts\` (1) | 0 | 1 |
| \`scripts\` | Python | 1 | 7 | 0 | \`scripts/run.py\` (7) | 1 | 1 |
| **total** | 5 kinds | **8** | **27** | **2** |  | **3** | **4** |

## Parts

### \`(root files)\`

2 files, 8 lines.

- \`README.md\`: \`Sells *things*.\`
- \`package.json\`: \`A small shop.\`
- Languages: JSON (1 file, 5 lines), Markdown (1 file, 3 lines)
- Largest files: \`package.json\` (5), \`README.md\` (3)
- Entry points (1):
  - \`package.json:4\`: \`"bin": "src/cli.ts"\`

### \`docs\`

2 files, 4 lines, 1 of them empty or binary.

- \`docs/guide.md\`: \`How to shop. FIXME later\`
- Languages: Markdown (1 file, 4 lines), images (1 file, 0 lines)
- Largest files: \`docs/guide.md\` (4)
- TODO/FIXME (1):
  - \`docs/guide.md:4\`: \`How to shop. FIXME later\`

### \`src\`

2 files, 7 lines.

- \`src/cart.ts\`: \`The cart.\`
- Languages: TypeScript (2 files, 7 lines)
- Largest files: \`src/cart.ts\` (4), \`src/cli.ts\` (3)
- Most exports: \`src/cart.ts\` (2)
- Entry points (1):
  - \`src/cli.ts:1\`: \`#!/usr/bin/env node\`
- TODO/FIXME (1):
  - \`src/cart.ts:4\`: \`// TODO: prices\`

### \`lib\`

1 file, 1 line.

- Languages: TypeScript (1 file, 1 line)
- Largest files: \`lib/sum.ts\` (1)
- Most exports: \`lib/sum.ts\` (1)

### \`scripts\`

1 file, 7 lines.

- Languages: Python (1 file, 7 lines)
- Largest files: \`scripts/run.py\` (7)
- Most exports: \`scripts/run.py\` (1)
- Entry points (1):
  - \`scripts/run.py:6\`: \`if __name__ == "__main__":\`

## Imports between parts

| imports (row from column) | \`lib\` | \`scripts\` | \`src\` |
| --- | ---: | ---: | ---: |
| \`lib\` | – | 0 | 0 |
| \`scripts\` | 1 | – | 0 |
| \`src\` | 1 | 0 | – |

| part | imports from | lines | example |
| --- | --- | ---: | --- |
| \`scripts\` | \`lib\` | 1 | \`scripts/run.py:1\` |
| \`src\` | \`lib\` | 1 | \`src/cli.ts:3\` |

## Failures

None.

## Left out

- Folders that were skipped: \`.github\`, \`dist\`, \`node_modules\`.

_Written by the offline model: fixed rules, no LLM. Every figure comes from the result of a tool call._`);
	});

	it("divides a tree whose lists are cut without losing a file", async () => {
		const files: Record<string, string> = { "one.txt": "1\n" };
		for (let at = 0; at < 300; at += 1) files[`src/part${at % 3}/f${at}.txt`] = "1\n";
		const root = await makeTree(files);
		const lead = createLead(await realTools(root));
		await prompt(lead.agent, userMessage(surveyPrompt(root)));
		expect(lead.started.map(({ description }) => description)).toEqual([
			"survey src/part0",
			"survey src/part1",
			"survey src/part2",
			"survey (root files)",
		]);
		const report = await lead.finish();
		expect(report).toContain("4 of 4 parts reported: 301 files, 301 lines,");
	});

	it("is made by one agent alone where it cannot start others", async () => {
		const root = await makeTree(TREE);
		const agent = createAgent(EXPLORE_TOOLS, await realTools(root));
		const report = await prompt(agent, userMessage("survey ."));
		expect(report).toContain("# Part report: `.`");
		expect(report).toContain("| files | 8 |\n| lines | 27 |");
	});
});
