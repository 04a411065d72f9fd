import { describe, expect, it } from "vitest";
import { parseScript } from "../../../src/permissions/shell/parse-script.ts";

const problemOf = (source: string) => parseScript(source, { home: "/home/ada", cwd: "/work/project" }).problem;

describe("the tree of a script", () => {
	// In each of these bash runs `evil`, and a parser that takes the # for a comment would not see it.
	it.each(["ok >()#$(evil)", "ok <(a)#$(evil)", "a=(b)#$(evil)", "a=(b)#`evil`; ok"])(
		"is not trusted where it leaves something of %j out",
		(source) => {
			expect(problemOf(source)).toMatch(/^it is not clear what '/);
		},
	);

	it.each([
		"ls # evil",
		"# evil\nls",
		"ls;# evil",
		"(ls)# evil",
		"x=(a # evil\n b)",
		"ls \\\n# evil",
		"cat <<A <<B | c\n1\nA\n# $(d)\nB\ne # f",
		"case $x in a|b) c;; (d) e;& *) f;;& esac # g",
		"if a;then b;elif c;then d;else e;fi;for x in a b;do c;done;until a;do b;done",
		"f(){ a;};function g { b; } >c;coproc h { i;}",
		"for((i=0;i<3;i++));do a;done;((x=1))&&b",
		"[[ a == b && ( c || ! -f d ) ]]||e",
		"time -p -- a|b;! c;{ d;}",
		"a>b 2>&1<c >>d&>e {f}>g 3<>h<<<i",
		"x=1 y=(a b) z+=c w[1]=d a",
		'echo "a $(b "c") ${d:-"$(e)"}"`f \\`g\\``$((1+2))$\'h\\\'i\'',
		"export x=1 y=(1 2)",
		"for x\ndo a; done",
		"select x in a;do b;done",
	])("is whole for %j", (source) => {
		expect(problemOf(source)).toBeUndefined();
	});
});
