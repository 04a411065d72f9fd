import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeCommand } from "../../../src/permissions/shell/analysis.ts";
import { parseScript } from "../../../src/permissions/shell/parse-script.ts";

const FOLDERS = { home: "/home/ada", cwd: "/work/project" };
const parse = (source: string) => parseScript(source, FOLDERS);
const analyze = (source: string) => analyzeCommand(source, { cwd: FOLDERS.cwd, homeDir: FOLDERS.home });
const commandsOf = (source: string) =>
	analyze(source).commands.map((command) => command.words.map((word) => word.value ?? word.raw).join(" "));

describe("parseScript", () => {
	it.each([
		["a && b || c; d", ["a", "b", "c", "d"]],
		["a | b |& c &", ["a", "b", "c"]],
		["a\nb\n\nc", ["a", "b", "c"]],
		["(a; (b))", ["a", "b"]],
		["{ a; b; }", ["a", "b"]],
		["! a", ["a"]],
		["time -p a", ["a"]],
		["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
		["for x in $(a) `b`; do c; done", ["a", "b", "c"]],
		["for ((i=0; i<3; i++)); do a; done", ["a"]],
		["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
		["case $(a) in $(b)) c;; *) d;; esac", ["a", "b", "c", "d"]],
		["select x in a; do b; done", ["b"]],
		["f() { a; }; function g { b; }", ["a", "b"]],
		["coproc a", ["a"]],
		['echo "$(a "$(b)")"', ["b", 'a "$(b)"', 'echo "$(a "$(b)")"']],
		["diff <(a) >(b)", ["a", "b", "diff <(a) >(b)"]],
		["x=$(a) y=`b`", ["a", "b", ""]],
		["arr=($(a) $(b))", ["a", "b", ""]],
		["echo ${x:-$(a)} ${y/$(b)/c}", ["a", "b", "echo ${x:-$(a)} ${y/$(b)/c}"]],
		["echo $(( $(a) + 1 ))", ["a", "echo $(( $(a) + 1 ))"]],
		["[[ -f $(a) && $(b) == c ]]", ["a", "b"]],
		["cat <<EOF\n$(a)\nEOF", ["a", "cat"]],
		["cat <<'EOF'\n$(a)\nEOF", ["cat"]],
		["cat <<< $(a)", ["a", "cat"]],
		["a > $(b)", ["b", "a"]],
		["echo @(x|$(a))", ["a", "echo @(x|$(a))"]],
		["echo {x,$(a)}", ["a", "echo {x,$(a)}"]],
		["echo # a", ["echo"]],
		["echo a#b", ["echo a#b"]],
		["echo 'a; b' \"c && d\"", ["echo a; b c && d"]],
		["echo a\\\n b", ["echo a b"]],
		["export A=$(a) B=2", ["a", "export A=$(a) B=2"]],
	])("finds every command of %j", (source, commands) => {
		expect(commandsOf(source)).toEqual(commands);
		expect(parse(source).problem).toBeUndefined();
	});

	it.each([
		["timeout 5 a b", ["timeout 5 a b", "a b"]],
		[
			"timeout -s KILL --kill-after=3 5 nice -n 5 a",
			["timeout -s KILL --kill-after=3 5 nice -n 5 a", "nice -n 5 a", "a"],
		],
		["nohup stdbuf -oL a", ["nohup stdbuf -oL a", "stdbuf -oL a", "a"]],
		["env -u X A=1 a b", ["env -u X A=1 a b", "a b"]],
		["command -p a", ["command -p a", "a"]],
		["command -v a", ["command -v a"]],
		["exec -a x a", ["exec -a x a", "a"]],
		["busybox a b", ["busybox a b", "a b"]],
		["/lib64/ld-linux-x86-64.so.2 /bin/a", ["/lib64/ld-linux-x86-64.so.2 /bin/a", "/bin/a"]],
		["xargs -0 -n 1 a b", ["xargs -0 -n 1 a b", "a b …"]],
		["xargs -I% a %", ["xargs -I% a %", "a %"]],
		["echo x y | xargs a", ["echo x y", "xargs a", "a …", "a x y"]],
		["find . -exec a {} \\; -execdir b +", ["find . -exec a {} ; -execdir b +", "a {}", "b"]],
		["bash -c 'a; b'", ["bash -c a; b", "a", "b"]],
		["sh -ec -- 'a'", ["sh -ec -- a", "a"]],
		["bash -o pipefail -c a x", ["bash -o pipefail -c a x", "a"]],
		["bash <<< 'a'", ["bash", "a"]],
		["bash -s <<EOF\na\nEOF", ["bash -s", "a"]],
		["eval 'a b' c", ["eval a b c", "a b c"]],
		["trap 'a' EXIT", ["trap a EXIT", "a"]],
		["alias x='a b'", ["alias x=a b", "a b"]],
		["env -S 'A=1 a b'", ["env -S A=1 a b", "a b"]],
		["bash -c \"bash -c 'bash -c a'\"", ["bash -c bash -c 'bash -c a'", "bash -c bash -c a", "bash -c a", "a"]],
	])("finds the commands behind %j", (source, commands) => {
		expect(commandsOf(source)).toEqual(commands);
		expect(analyze(source).opaque.filter((each) => each.strength === "certain" && !source.startsWith("eval"))).toEqual(
			[],
		);
	});

	it.each([
		["$x a", "certain"],
		["$(a) b", "certain"],
		["a$IFS b", "certain"],
		["/bin/r? b", "certain"],
		["{rm,-rf} b", "certain"],
		['"$@"', "certain"],
		["eval a", "certain"],
		['bash -c "$x"', "certain"],
		["a | bash", "certain"],
		["{ bash; } < <(a)", "delegated"],
		["a | { sh; }", "certain"],
		["timeout $x a", "certain"],
		["nice --odd a", "certain"],
		['trap "$x" EXIT', "certain"],
		["PS4='$(a)'; set -x", "certain"],
		["b >&'$(a)'", "certain"],
		["b >&x/'`a`'", "certain"],
		["b <&$x", "certain"],
		["echo $((x))", "possible"],
		["((x++))", "possible"],
		["echo ${!x}", "possible"],
		["echo ${x@P}", "possible"],
		["echo ${a[$i]}", "possible"],
		["a[x]=1", "possible"],
		["[[ $x -eq 1 ]]", "possible"],
		["read 'a[x]'", "possible"],
		["printf -v 'a[x]' y", "possible"],
		["x='a[$(b)]'; echo $((x))", "certain"],
		["watch a", "delegated"],
		["source a", "delegated"],
		["git -c core.pager=a log", "delegated"],
	])("says of %j that it may run what it does not show: %s", (source, strength) => {
		expect(analyze(source).opaque.map((each) => each.strength)).toContain(strength);
	});

	it.each([
		"echo $((1 + 2))",
		"echo ${#x} ${x:-a} ${x%.*} ${x//a/b} ${a[@]} ${a[0]}",
		"[[ -f $x && $y == z ]]",
		'echo "$x" *',
	])("sees nothing hidden in %j", (source) => {
		expect(analyze(source).opaque).toEqual([]);
	});

	it.each([
		["echo 'open", "unterminated single quote"],
		["if a; then b", "expected 'fi' to close 'if'"],
		["a &&", "expected command after '&&'"],
		["a > ", "expected redirect target"],
		["a <<EOF\nEOF; b", "a here-document has no end"],
		["a\0b", "it holds a null character"],
		["a \\", "it ends with a backslash"],
		[`echo ${"x".repeat(40_000)}`, "it is longer than 32768 characters"],
		["a;".repeat(4_001), "it holds more than 4000 commands or lines"],
	])("reports %j instead of guessing", (source, problem) => {
		expect(parse(source).problem).toBe(problem);
	});

	it("survives nesting without end", () => {
		for (const piece of ["$(", "(", "{ ", "${x:-", "$((", "if ", "<(", "[[ ", "a=(", '"$(']) {
			expect(parse(piece.repeat(90)).problem).toBeTypeOf("string");
			expect(parse(piece.repeat(5_000)).problem).toBeTypeOf("string");
		}
	});

	it.each([
		["a > b", [["write", "b"]]],
		[
			"a >> b 2>&1",
			[
				["write", "b"],
				["descriptor", "1"],
			],
		],
		["a &> b", [["write", "b"]]],
		["a >& b", [["write", "b"]]],
		[
			"a >| b <> c < d",
			[
				["write", "b"],
				["write", "c"],
				["read", "d"],
			],
		],
		["{ a; } > b", [["write", "b"]]],
		["while a; do b; done < c", [["read", "c"]]],
		["exec 3> b", [["write", "b"]]],
		["> b", [["write", "b"]]],
		["a 2>&-", [["descriptor", "-"]]],
		["a > ~/b", [["write", "/home/ada/b"]]],
		['a > "$HOME/b"', [["write", "/home/ada/b"]]],
		["a > $x", [["write", undefined]]],
	])("lists where %j reads and writes", (source, redirects) => {
		expect(parse(source).redirects.map(({ access, target }) => [access, target?.value])).toEqual(redirects);
	});

	it("does not fill in a home or working folder that the script may change", () => {
		const target = (source: string) => parse(source).redirects.at(-1)?.target?.value;
		expect(target("a > ~/b")).toBe("/home/ada/b");
		expect(target("HOME=/tmp; a > ~/b")).toBeUndefined();
		expect(target("a > $PWD/b")).toBe("/work/project/b");
		expect(target("cd /tmp; a > $PWD/b")).toBeUndefined();
	});

	it.each([
		["cd sub; a", ["/work/project", "/work/project/sub"], false],
		["cd /tmp && cd x", ["/work/project", "/tmp", "/work/project/x", "/tmp/x"], false],
		["cd; a", ["/work/project", "/home/ada"], false],
		["cd $x; a", ["/work/project"], true],
		["cd -; a", ["/work/project"], true],
		["while a; do cd ..; done", ["/work/project"], true],
	])("knows where %j may stand", (source, known, unknown) => {
		expect(analyze(source).folders).toEqual({ known, unknown });
	});
});

describe.skipIf(!existsSync("/bin/bash"))("beside bash itself", () => {
	const pieces = fc.constantFrom(
		"a",
		"'b c'",
		'"d e"',
		"\\f",
		"\\ ",
		"$'g\\x41\\n'",
		'"\\$h\\i"',
		"''",
		"'",
		"=",
		"-",
		"é",
		"\\\n",
		'"\\\\"',
		"%",
		"+",
		",",
		":",
		"@",
		"]",
	);
	const word = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

	it("reads the same words", () => {
		const sources = fc.sample(word, { numRuns: 150, seed: 7 });
		const script =
			'for w in "$@"; do eval "set -- $w" 2>/dev/null || set -- BROKEN; printf "%s\\0" "$#" "$@"; printf "END\\0"; done';
		const output = execFileSync("/bin/bash", ["-fc", script, "bash", ...sources], { encoding: "utf8" });
		const theirs = output
			.split("END\0")
			.slice(0, -1)
			.map((part) => part.split("\0").slice(1, -1));
		for (const [index, source] of sources.entries()) {
			const script = parse(`probe ${source}`);
			const ours =
				script.problem === undefined ? script.commands[0]?.words.slice(1).map((each) => each.value) : ["BROKEN"];
			expect([source, ours]).toEqual([source, theirs[index]]);
		}
	});
});
