import { describe, expect, it } from "vitest";
import { parseScript } from "../../../src/permissions/shell/parse-script.ts";

const problemOf = (source: string) => parseScript(source, { home: "/home/ada", cwd: "/work/project" }).problem;

describe("the tree of a script", () => {
	// In each of these bash runs `evil`, and a parser that takes a # for a comment or `2<(` for text would not see it.
	it.each([
		"ok >()#$(evil)",
		"ok <(a)#$(evil)",
		"a=(b)#$(evil)",
		"a=(b)#`evil`; ok",
		"ok {x}<(evil)",
		"ok 2>(evil)",
		"for x in 2<(evil); do ok; done",
	])("is not trusted where it leaves something of %j out", (source) => {
		expect(problemOf(source)).toMatch(/^it is not clear what '/);
	});

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
		"[[ $x =~ ^(a|b)+$ && a < b ]]",
		"echo 5$ a$ %1 ~+ x[1] a=b=c \\<\\(a\\) ${x#*(} ${y//[()]/}",
	])("is whole for %j", (source) => {
		expect(problemOf(source)).toBeUndefined();
	});
});
