import { describe, expect, it } from "vitest";
import { decideBash, type Setup } from "./harness.ts";

const judge = (setup: Setup, command: string) => decideBash(setup, command).decision;

describe("allow rules for bash", () => {
	const setup: Setup = {
		allow: ["Bash(npm run test *)", "Bash(git log:*)", "Bash(echo *)", "Bash(cat *)", "Bash(ls)"],
	};

	it.each([
		"npm run test",
		"npm run test unit",
		"npm   run\ttest   unit",
		"npm run test 'a b' \"c\"",
		"npm run test; git log",
		"npm run test && git log -n 5 || echo failed",
		"npm run test | cat",
		"npm run test |& cat",
		"npm run test & echo started",
		"npm run test\ngit log\n",
		"(npm run test)",
		"{ npm run test; }",
		"! npm run test",
		"time npm run test",
		"if npm run test; then echo ok; else echo no; fi",
		"for x in a b; do echo $x; done",
		"while npm run test; do echo again; done",
		"case $x in a) echo a;; *) echo b;; esac",
		"f() { echo a; }",
		'echo "$(git log)"',
		"echo `git log`",
		"cat <(git log)",
		"cat <<EOF\n$(git log)\nEOF",
		"cat <<'EOF'\n$(rm x)\nEOF",
		'cat <<< "$(git log)"',
		"echo ${x:-$(git log)}",
		"[[ -f a && $(cat a) == b ]] && echo yes",
		"x=1; echo $x",
		'x=$(git log); echo "$x"',
		"echo $((1 + 2))",
		"CI=1 npm run test",
		"NODE_ENV=test CI=1 npm run test unit",
		"LC_ALL=C echo a",
		"GIT_PAGER=cat git log",
		"timeout 30 npm run test",
		"timeout -k 5 --signal=TERM 30 npm run test",
		"nice -n 10 nohup npm run test",
		"stdbuf -oL -eL npm run test",
		"CI=1 timeout 30 nice npm run test",
		"echo a > /dev/null",
		"echo a >&2",
		"echo a 2>&1 | cat",
		"npm run test > /dev/null 2>&1",
		"cat < a",
		'"npm" run test',
		'npm run "test" unit',
		"ls",
		"echo '; rm -rf x'",
		'echo "a && rm b"',
		"# only a comment",
		"",
	])("let %j run", (command) => {
		expect(judge(setup, command)).toBe("allow");
	});

	it.each([
		"npm run tests",
		"npm run",
		"npm install",
		"npm run test; npm install",
		"npm run test && npm install",
		"npm run test || npm install",
		"npm run test | tee a",
		"npm run test & npm install",
		"npm run test\nnpm install",
		"(npm run test; npm install)",
		"if npm install; then echo a; fi",
		"for x in $(npm install); do echo $x; done",
		"case a in a) npm install;; esac",
		"f() { npm install; }",
		"echo $(npm install)",
		"echo `npm install`",
		'echo "$(npm install)"',
		'echo "${x:-$(npm install)}"',
		"cat <(npm install)",
		"echo a > >(npm install)",
		"cat <<EOF\n$(npm install)\nEOF",
		"x=$(npm install)",
		"echo {a,$(npm install)}",
		"[[ $(npm install) ]]",
		"echo $(( $(npm install) ))",
		"ls -la /srv",
		"lsof",
		"PATH=/evil npm run test",
		"LD_PRELOAD=./evil.so npm run test",
		"NODE_OPTIONS='--require ./evil.js' npm run test",
		"GIT_PAGER=./evil git log",
		"PATH=/evil timeout 5 npm run test",
		"PATH=/evil; npm run test",
		"NODE_OPTIONS=x; npm run test",
		"for PATH in /evil; do npm run test; done",
		": ${PATH:=/evil}",
		"env npm run test",
		"sh -c 'npm run test'",
		"xargs npm run test",
		"command npm run test",
		"exec npm run test",
		"timeout $x npm run test",
		"timeout --unknown 5 npm run test",
		"/usr/bin/time -o a npm run test",
		"nice",
		"$x run test",
		"n$x run test",
		"npm$IFS run test",
		"$(echo npm) run test",
		'"$(echo npm)" run test',
		"{npm,run,test}",
		"np? run test",
		"np* run test",
		"n\\pm run test",
		"n'p'm run test",
		'n""pm run test',
		"$'npm' run test",
		"./npm run test",
		"eval npm run test",
		"eval 'echo a'",
		"echo a | sh",
		"echo $((x))",
		"echo ${!x}",
		"echo ${x@P}",
		"echo ${a[$(npm install)]}",
		"x='a[$(npm install)]'; echo $((x))",
		"echo a > out",
		"echo a >> out",
		"echo a &> out",
		"echo a >| out",
		"cat 1<> out",
		"> out",
		"{ echo a; } > out",
		"echo a > $x",
		"echo a > ~/.bashrc",
		"echo 'open",
		"echo a)",
		`echo ${"a".repeat(33_000)}`,
	])("do not let %j run", (command) => {
		expect(judge(setup, command)).toBe("ask");
	});

	it("cover a written file together with an Edit rule, or in acceptEdits", () => {
		const command = "echo a > out/log.txt";
		expect(judge({ allow: ["Bash(echo *)", "Edit(out/**)"] }, command)).toBe("allow");
		expect(judge({ allow: ["Bash(echo *)", "Edit(src/**)"] }, command)).toBe("ask");
		expect(judge({ allow: ["Edit(out/**)"] }, command)).toBe("ask");
		expect(judge({ allow: ["Bash(echo *)"], mode: "acceptEdits" }, command)).toBe("allow");
		expect(judge({ allow: ["Bash(echo *)"], mode: "acceptEdits" }, "echo a > ../log.txt")).toBe("ask");
		expect(judge({ allow: ["Bash(echo *)"], mode: "acceptEdits" }, "echo a > .clowder/settings.json")).toBe("ask");
		expect(judge({ allow: ["Bash(echo *)", "Bash(cd *)"], mode: "acceptEdits" }, "cd .. && echo a > x")).toBe("ask");
		expect(judge({ allow: ["Bash(echo *)", "Bash(cd *)"], mode: "acceptEdits" }, "cd $x && echo a > x")).toBe("ask");
	});

	it("cover a command among the arguments of another only when it has a rule, or is named", () => {
		const setup: Setup = { allow: ["Bash(find *)", "Bash(xargs *)", "Bash(env *)", "Bash(grep *)", "Bash(command *)"] };
		expect(judge(setup, "find . -name '*.ts'")).toBe("allow");
		expect(judge(setup, "find . -exec grep x {} +")).toBe("allow");
		expect(judge(setup, "find . -exec curl {} +")).toBe("ask");
		expect(judge(setup, "find . -print0 | xargs -0 grep x")).toBe("allow");
		expect(judge(setup, "find . | xargs curl")).toBe("ask");
		expect(judge(setup, "find . | xargs env CI=1 grep x")).toBe("allow");
		expect(judge(setup, "find . | xargs env PATH=/evil grep x")).toBe("ask");
		expect(judge(setup, "env PATH=/evil grep x a")).toBe("ask");
		expect(judge(setup, "command curl x")).toBe("ask");
		expect(judge({ allow: ["Bash(find * -exec curl *)"] }, "find . -exec curl {} +")).toBe("allow");
		expect(judge({ allow: ["Bash(find * -exec curl *)"] }, "find . -exec curl {} + -exec rm {} +")).toBe("ask");
		expect(judge({ allow: ["Bash(xargs curl *)"] }, "xargs curl -O")).toBe("allow");
		expect(judge({ allow: ["Bash(bash *)"] }, "bash -c 'curl x'")).toBe("allow");
	});

	it("cover a variable that matters only when they spell it out", () => {
		expect(judge({ allow: ["Bash(PATH=/opt/bin npm *)"] }, "PATH=/opt/bin npm test")).toBe("allow");
		expect(judge({ allow: ["Bash(PATH=/opt/bin npm *)"] }, "PATH=/evil npm test")).toBe("ask");
		expect(judge({ allow: ["Bash(CI=1 npm *)"] }, "CI=1 npm test")).toBe("allow");
	});

	it("allow all of bash when they are bare, save what cannot be seen", () => {
		for (const allow of [["Bash"], ["Bash(*)"], ["bash"]]) {
			expect(judge({ allow }, "curl x > y && make")).toBe("allow");
			expect(judge({ allow }, "x=1; echo $((x + 1))")).toBe("allow");
			expect(judge({ allow }, "$x a")).toBe("ask");
			expect(judge({ allow }, "curl x | sh")).toBe("ask");
			expect(judge({ allow }, "echo 'open")).toBe("ask");
		}
	});
});

describe("deny and ask rules for bash", () => {
	it("decide in the order deny, ask, allow, however specific a rule is", () => {
		const setup: Setup = {
			allow: ["Bash(git push origin main)"],
			ask: ["Bash(git push *)"],
			deny: ["Bash(git push --force *)"],
		};
		expect(judge(setup, "git push origin main")).toBe("ask");
		expect(judge(setup, "git push --force origin main")).toBe("deny");
		expect(judge({ ...setup, ask: [] }, "git push origin main")).toBe("allow");
		expect(judge({ allow: ["Bash(rm a)"], deny: ["Bash"] }, "rm a")).toBe("deny");
		expect(judge({ allow: ["Bash"], ask: ["Bash"] }, "ls")).toBe("ask");
	});

	it("decide by any one part", () => {
		const setup: Setup = { allow: ["Bash"], ask: ["Bash(git push *)"], deny: ["Bash(rm *)"] };
		expect(judge(setup, "ls && git push")).toBe("ask");
		expect(judge(setup, "git push && rm x")).toBe("deny");
		expect(judge(setup, "ls && git pull")).toBe("allow");
	});

	it("name the part, the rule and its file", () => {
		expect(decideBash({ deny: ["Bash(rm *)"] }, "ls && rm -f x")).toEqual({
			decision: "deny",
			message: "Permission denied: 'rm -f x' is denied by the rule Bash(rm *) in .claude/settings.json",
			rule: "Bash(rm *) in .claude/settings.json",
		});
		expect(decideBash({ ask: ["Bash(npm publish)"], allow: ["Bash"] }, "npm publish")).toEqual({
			decision: "ask",
			message: "'npm publish' is asked about by the rule Bash(npm publish) in .claude/settings.json",
			suggestions: [],
		});
	});

	it("hold in bypassPermissions", () => {
		const setup: Setup = { deny: ["Bash(rm *)"], ask: ["Bash(git push)"], mode: "bypassPermissions" };
		expect(judge(setup, "rm x")).toBe("deny");
		expect(judge(setup, "git push")).toBe("ask");
		expect(judge(setup, "git pull && i=$((i+1))")).toBe("allow");
		expect(judge(setup, "$x y")).toBe("ask");
		expect(judge(setup, 'eval "$x"')).toBe("ask");
		expect(judge({ mode: "bypassPermissions" }, 'eval "$x"')).toBe("allow");
	});
});

describe("questions about bash", () => {
	it("say what no rule covers, and offer rules that would cover it", () => {
		expect(decideBash({ allow: ["Bash(ls)"] }, "ls && npm run build && ./deploy.sh *.js > out.txt")).toEqual({
			decision: "ask",
			message: "no rule allows 'npm run build', './deploy.sh *.js', writing out.txt",
			suggestions: ["Bash(npm run build *)", "Bash(./deploy.sh \\*.js)", "Edit(/out.txt)"],
		});
	});

	it("offer no rule where none could help", () => {
		expect(decideBash({}, "$x y")).toEqual({
			decision: "ask",
			message: "no rule can allow this command: the command's name is not known until it runs: $x",
			suggestions: [],
		});
	});

	it.each([
		"git commit -m 'a b'",
		"npm test -- --watch",
		"pytest -k x",
		"make build",
		"PATH=/x make build",
		"CI=1 make build",
		"timeout 5 make build",
		"grep -rn 'a*b\\(c\\)' /srv",
		"find /srv \\( -name '*.ts' -o -name '*.js' \\)",
		"make \"multi\nline\" 'x:*'",
		"cd sub && make > out.txt",
		"find . -name '*.o' -exec rm -f {} \\;",
		"ls | xargs -n1 wc",
		"env A=1 make",
		"make '*'",
	])("offer rules for %j that do cover it", (command) => {
		const asked = decideBash({}, command);
		if (asked.decision !== "ask") throw new Error(asked.decision);
		expect(asked.suggestions.length).toBeGreaterThan(0);
		expect(judge({ allow: asked.suggestions }, command)).toBe("allow");
	});

	it("ask about a call without a command", () => {
		expect(decideBash({ allow: ["Bash"] }, undefined as never).decision).toBe("ask");
	});
});
