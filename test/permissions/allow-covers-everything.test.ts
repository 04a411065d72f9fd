// Scripts put together from allowed commands and one that is not, in every syntax that runs something.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildEngine, callOf } from "./harness.ts";

const { engine } = buildEngine({ allow: ["Bash(ok *)", "Bash(echo *)", "Bash(cat *)"] });
const judge = (command: string) => engine.decide(callOf("bash", { command })).decision;

interface Part {
	readonly source: string;
	/** Runs something that no rule allows. */
	readonly strays: boolean;
}

const word = fc.constantFrom(
	"a",
	"'b c'",
	'"d"',
	"$x",
	'"$y"',
	"*.ts",
	"e\\ f",
	"'; evil'",
	'"&& evil"',
	"evil",
	"\\;evil",
);
const allowed = fc.tuple(
	fc.constantFrom("ok", "echo", "cat", "timeout 5 ok", "CI=1 ok"),
	fc.array(word, { maxLength: 2 }),
);
const strange = fc.constantFrom(
	"evil",
	"evil a",
	"$x ok",
	"e'vi'l",
	"PATH=/x ok",
	"PATH=/x timeout 5 ok",
	"env ok",
	"eval ok",
	"ok > out",
	"oks",
	"o\\k",
	"cat a | sh",
	"{ok,a}",
	"PATH=/x",
	"echo $((x))",
);
const command: fc.Arbitrary<Part> = fc.oneof(
	{ weight: 4, arbitrary: allowed.map(([name, words]) => ({ source: [name, ...words].join(" "), strays: false })) },
	{ weight: 1, arbitrary: strange.map((source) => ({ source, strays: true })) },
);

const one: readonly ((inner: string) => string)[] = [
	(inner) => `( ${inner})`,
	(inner) => `{ ${inner}\n}`,
	(inner) => `if ${inner}\nthen echo; fi`,
	(inner) => `for x in a; do ${inner}\ndone`,
	(inner) => `while ${inner}\ndo ok; done`,
	(inner) => `case a in a) ${inner}\n;; esac`,
	(inner) => `f() { ${inner}\n}`,
	(inner) => `echo $( ${inner}\n)`,
	(inner) => `echo "a $( ${inner}\n) b"`,
	(inner) => `echo \${x:-$( ${inner}\n)}`,
	(inner) => `cat <( ${inner}\n)`,
	// The mark differs at every depth: an inner one would end the outer text.
	(inner) => `( cat <<E${inner.length}\nx $( ${inner}\n)\nE${inner.length}\n)`,
	(inner) => `x=$( ${inner}\n)`,
	(inner) => `[[ -n $( ${inner}\n) ]]`,
	(inner) => `{ ! ${inner}\n}`,
	(inner) => `{ coproc { ${inner}\n}\n}`,
];
const two: readonly ((first: string, second: string) => string)[] = [
	(first, second) => `${first}; ${second}`,
	(first, second) => `${first}\n${second}`,
	(first, second) => `${first} && ${second}`,
	(first, second) => `${first} || ${second}`,
	(first, second) => `${first} | ${second}`,
	(first, second) => `${first} & ${second}`,
];

const { script } = fc.letrec<{ script: Part }>((tie) => ({
	script: fc.oneof(
		{ maxDepth: 4, depthSize: "small" },
		command,
		fc
			.tuple(fc.constantFrom(...one), tie("script"))
			.map(([wrap, part]) => ({ source: wrap(part.source), strays: part.strays })),
		fc.tuple(fc.constantFrom(...two), tie("script"), tie("script")).map(([join, first, second]) => ({
			source: join(first.source, second.source),
			strays: first.strays || second.strays,
		})),
	),
}));

describe("allow rules", () => {
	it("never admit a command with a part that none of them matches", () => {
		fc.assert(
			fc.property(script, ({ source, strays }) => {
				fc.pre(strays);
				expect([source, judge(source)]).toEqual([source, "ask"]);
			}),
			{ numRuns: 200 },
		);
	});

	it("admit whatever is made of matching parts alone", () => {
		fc.assert(
			fc.property(script, ({ source, strays }) => {
				fc.pre(!strays);
				expect([source, judge(source)]).toEqual([source, "allow"]);
			}),
			{ numRuns: 200 },
		);
	});
});
