// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text holds such expansions.

import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "../../src/permissions/modes.ts";
import { writeTree } from "../config/make-tree.ts";
import { buildEngine, callOf, type Setup } from "./harness.ts";

let root = "";
const cwdOf = () => join(root, "repo");

beforeAll(async () => {
	root = await realpath(await mkdtemp(join(tmpdir(), "clowder-test-")));
	await writeTree(root, {
		"home/.ssh/id": "key",
		"outside/secret.txt": "far away",
		"added/notes.txt": "added",
		"repo/src/a.ts": "a",
		"repo/.env": "SECRET=1",
		"repo/secrets/key.pem": "key",
		"dashed/-R": "x",
		"dashed/a.txt": "x",
		"bare/HEAD": "x",
		"bare/objects/": "",
		"bare/refs/": "",
		"bare/below/": "",
		"borrowing/HEAD": "x",
		"borrowing/commondir": "x",
		"borrowing/.git/": "",
		"clone/.git/HEAD": "x",
		"clone/src/a.ts": "a",
		"clone/sub/HEAD": "x",
		"pointing/.git": "gitdir: evil\n",
		"pointing/below/": "",
		"worktree/.git": "gitdir: /srv/repo/.git/worktrees/one\n",
	});
	await symlink(join(root, "outside"), join(cwdOf(), "link"));
	await symlink(join(root, "outside", "secret.txt"), join(cwdOf(), "😀😀"));
	execFileSync("mkfifo", [join(cwdOf(), "pipe")]);
	await symlink(join(root, "outside", "secret.txt"), join(cwdOf(), "src", "linked.txt"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

function judge(command: string, setup: Setup = {}): string {
	const cwd = setup.cwd ?? cwdOf();
	const { engine } = buildEngine({ homeDir: join(root, "home"), cwd, ...setup });
	return engine.decide(callOf("bash", { command }, { cwd })).decision;
}

describe("A command that can only look inside the workspace", () => {
	it.each([
		"ls",
		"ls -la",
		"ls -la src",
		"ls src/*.ts",
		"/bin/ls src",
		"pwd",
		"cat src/a.ts",
		"cat ./src/../src/a.ts",
		'cat "$PWD/src/a.ts"',
		"head -n 20 src/a.ts | grep -n a",
		"tail -5 src/a.ts && wc -l src/a.ts",
		"sed -n '1,20p' src/a.ts",
		"sed -n '/^import/p' src/a.ts",
		"grep -rn 'TODO' .",
		"grep -rn '/api/users' src",
		"rg x",
		"rg -n --glob '*.ts' '^/api' src",
		"rg --files src",
		"find . -name '*.ts' -type f",
		"tree -L 2",
		"du -sh src",
		"stat src/a.ts",
		"file src/a.ts",
		"diff src/a.ts .env",
		"sort src/a.ts | uniq -c | sort -rn | head",
		"test -f src/a.ts && echo yes || echo no",
		"[ -d src ]; echo $HOME",
		"if [ -f src/a.ts ]; then cat src/a.ts; fi",
		"cd src && ls",
		"cat < src/a.ts",
		"cat src/a.ts 2>/dev/null",
		"git status",
		"git status --short",
		"git diff HEAD~1 -- src/a.ts",
		"git log --oneline -5",
		"git --no-pager show HEAD:src/a.ts",
		"git branch -a",
		"timeout 5 ls",
		"time ls",
		"node --version",
		"which node",
		"date +%Y/%m/%d",
		"echo 'it is in /etc/hosts'",
	])("needs no rule: %s", (command) => {
		expect(judge(command)).toBe("allow");
	});

	it.each([
		// It leaves the workspace, or may.
		"cat /etc/passwd",
		"cat ../outside/secret.txt",
		"cat src/../../outside/secret.txt",
		"ls ..",
		"ls /",
		"ls ~",
		"cat ~/.ssh/id",
		"cat ~root/.profile",
		"cat $HOME/.ssh/id",
		"cat ${FILE}",
		'cat "$1"',
		"cat {src/a.ts,/etc/passwd}",
		"cat $(echo /etc/passwd)",
		"cat `echo /etc/passwd`",
		"cat link/secret.txt",
		"cat src/linked.txt",
		"cat src/*",
		"cat /*/passwd",
		"cat ../*/secret.txt",
		"cat < /etc/passwd",
		"cat < $x",
		"cd .. && ls",
		"cd / && cat etc/passwd",
		"cd && ls",
		"cd - && ls",
		"cd link && cat secret.txt",
		"grep -r x /etc",
		"grep -f /etc/passwd src/a.ts",
		"grep --file=/etc/passwd src/a.ts",
		"grep -nf/etc/passwd src/a.ts",
		"rg --files /etc",
		"rg x ..",
		"sed -n 1p /etc/passwd",
		"find / -name x",
		"find ../outside",
		"head -5 -- /etc/passwd",
		"git diff --no-index src/a.ts /etc/passwd",
		"git show HEAD:../../x",
		"echo ../*",
		"[ -f /etc/passwd ]",
		// It follows links, or takes its files from a list.
		"grep -R x .",
		"grep --dereference-recursive x .",
		"rg -L x",
		"rg --follow x",
		"find -L . -name x",
		"find . -follow",
		"tree -l",
		"ls -L link",
		"du -L .",
		"diff -r src secrets",
		"diff src secrets",
		"echo /etc/passwd | xargs cat",
		"printf '/etc/passwd\\0' | wc --files0-from=-",
		"printf '/etc/passwd\\0' | sort --files0-from=-",
		"du --files0-from=src/a.ts",
		"file -f src/a.ts",
		"date -f src/a.ts",
		// It writes, runs or sends something, or waits.
		"ls > out",
		"ls >> src/a.ts",
		"cat src/a.ts | tee b",
		"sed -i s/a/b/ src/a.ts",
		"sed -n 'w out' src/a.ts",
		"sort -o out src/a.ts",
		"sort -T . src/a.ts",
		"find . -delete",
		"find . -exec cat {} +",
		"git commit -m x",
		"git -c core.pager=x log",
		"git config --list",
		"git fetch",
		"cd src && git status",
		"rg --pre cat x",
		"PATH=. ls",
		"X=1 ls",
		"printf -v PATH .; ls",
		"f() { ls; }; f",
		"./ls",
		"bin/ls",
		"node x.js",
		"npm test",
		"env",
		"printenv",
		"ps e",
		"getent hosts example.com",
		"awk 1 src/a.ts",
		"curl http://x",
		"tail -f src/a.ts",
		"sleep 600",
		"ls; make",
		"ls | sh",
		"eval ls",
		"ls 'open",
		// A name that bash evaluates, wherever it stands.
		"[ -v PATH -a -v 'a[$(id)]' ]",
		"test -v PATH -o -v 'a[$(id)]'",
		"for r in -v; do [ $r 'a[$(id)]' ]; done",
		// A descriptor's name opens the file behind it again, and its variable is set.
		"echo x 3<src/a.ts >/dev/fd/3",
		"echo x 1<src/a.ts >/dev/stdout",
		": {PATH}<src/a.ts; ls",
		"coproc PATH { ls; }",
		// Behind an option, -- may be its value.
		"rg -e x -e -- --pre ./pre.sh",
		"git grep -e x -e -- -O'touch a'",
		"git diff --no-index --src-prefix -- --output=b src/a.ts .env",
		"file -F -- -C",
		"grep -h -e x -e -- -R .",
		// The letters of one command are not those of another.
		"git grep -nO'touch a #' x",
		"git grep -LO'touch a #' x",
		// What is neither a command's word nor a file's name.
		"cat <<< $TOKEN",
		"cat <<E\n$TOKEN\nE",
		"for f in /root/.*; do cat <<< $f; done",
		"[[ -f /etc/passwd ]]",
		// bash reads patterns by the language.
		"cat lin[[:alpha:]]/secret.txt",
		"cat lin[[=k=]]/secret.txt",
		"cat ?😀",
		// It would wait.
		"tail +1f src/a.ts",
		"cat pipe",
		// To look at it would take too long.
		`cat -${":".repeat(5_000)}`,
		`cat ${"a:".repeat(2_000)}`,
		`cat ${"a/".repeat(2_500)}`,
		`echo ${"a ".repeat(3_000)}`,
	])("is not this: %s", (command) => {
		expect(judge(command)).toBe("ask");
	});

	it("may look into the added folders, too", () => {
		const added = join(root, "added");
		expect(judge(`cat ${added}/notes.txt`)).toBe("ask");
		expect(judge(`cat ${added}/notes.txt`, { additionalDirectories: [added] })).toBe("allow");
	});

	it("may stand beside what a rule allows, and nothing else may", () => {
		const setup: Setup = {
			allow: ["Bash(npm test *)", "Bash(cd *)", "Bash(export *)", "Bash(source *)", "Edit(/out.txt)"],
		};
		expect(judge("npm test", { allow: ["Bash(npm test *)"] })).toBe("allow");
		expect(judge("npm test 2>&1 | tail -20", setup)).toBe("allow");
		for (const command of [
			"npm test | tee log",
			"npm test; cat /etc/passwd",
			"npm test; make",
			"npm test > log; cat log",
			"npm test > out.txt; cat out.txt",
			"cd /etc && cat passwd",
			"cd .. && ls",
			"cd src && git status",
			"export PATH=. && ls",
			"export GIT_EXTERNAL_DIFF=./x && git diff",
			"export CI=1; ls",
			"source x.sh; ls",
			". x.sh; ls",
			"printf -v PATH .; npm test; ls",
			"npm test | xargs cat",
			"PATH=. npm test; ls",
			"npm test; X=1 ls",
			"npm test; printf -v PATH .; ls",
			"npm test; printf -vPATH .; ls",
			"npm test; wait -p PATH; ls",
			"npm test $(cat /etc/passwd)",
		]) {
			expect([command, judge(command, setup)]).toEqual([command, "ask"]);
		}
		expect(judge("npm test | grep x .env", { ...setup, deny: ["Read(.env)"] })).toBe("deny");
		expect(judge("npm test | tail", { ...setup, ask: ["Bash(tail *)"] })).toBe("ask");
	});

	it("gives way to every deny and ask rule about it", () => {
		expect(judge("ls", { deny: ["Bash"] })).toBe("deny");
		expect(judge("ls -la", { deny: ["Bash(ls *)"] })).toBe("deny");
		expect(judge("ls -la", { ask: ["Bash(ls *)"] })).toBe("ask");
		expect(judge("ls", { ask: ["Bash"] })).toBe("ask");
		expect(judge("cat src/a.ts", { ask: ["Read"] })).toBe("ask");
	});

	it.each([
		["cat .env", "deny"],
		["cat ./src/../.env", "deny"],
		["cat < .env", "deny"],
		["grep -n S .env", "deny"],
		["cat .*", "deny"],
		["stat .env", "ask"],
		["file .env", "ask"],
		["grep -if.env src/a.ts", "ask"],
		["date --file=.env", "ask"],
		["grep -r S .", "ask"],
		["grep -r S", "ask"],
		["grep -rn S -A 1", "ask"],
		["grep -r -A 1 S", "ask"],
		["grep -r -e S", "ask"],
		["grep -rm 5 S", "ask"],
		["grep --rec S", "ask"],
		["grep -d recurse S", "ask"],
		["grep --directories=recurse S", "ask"],
		["rg --hidden S -A 1", "ask"],
		["rg --hidden -e S", "ask"],
		["rg -uu S -g '.en*'", "ask"],
		["grep --reg=S .env", "deny"],
		["sed --expr=p .env", "deny"],
		["cat .[[:alpha:]]nv", "ask"],
		["cat src/a.ts | grep -i S", "allow"],
		["cat src/a.ts | grep -A 1 S", "allow"],
		["grep -n -A 1 S src/a.ts", "allow"],
		["rg -n -A 1 S src/a.ts", "allow"],
		["rg S", "ask"],
		["rg S src", "ask"],
		["git show HEAD:.env", "ask"],
		["git diff", "ask"],
		["git log -p", "ask"],
		["git log --patch -1", "ask"],
		["git log -U3", "ask"],
		["git status -vv", "ask"],
		["git grep S", "ask"],
		["git blame .env", "ask"],
		["git stash show -p", "ask"],
		["cat src/a.ts", "allow"],
		["ls -la", "allow"],
		["git status", "allow"],
		["git log --oneline -3", "allow"],
	])("shows nothing that a Read rule hides: %s", (command, decision) => {
		expect(judge(command, { deny: ["Read(.env)"] })).toBe(decision);
		expect(judge(command, { ask: ["Read(.env)"] })).toBe(decision === "deny" ? "ask" : decision);
	});

	it("shows nothing of a hidden folder, and all that lies beside it", () => {
		const setup: Setup = { deny: ["Read(/secrets/**)"] };
		expect(judge("cat secrets/key.pem", setup)).toBe("deny");
		expect(judge("rg x secrets", setup)).toBe("ask");
		expect(judge("rg x src", setup)).toBe("allow");
		expect(judge("rg x", setup)).toBe("ask");
	});

	it("is the same in every mode that decides by category", () => {
		const decisions = PERMISSION_MODES.map((mode) => [mode, judge("ls -la", { mode }), judge("make", { mode })]);
		expect(decisions).toEqual([
			["default", "allow", "ask"],
			["acceptEdits", "allow", "ask"],
			["plan", "allow", "deny"],
			["dontAsk", "allow", "deny"],
			["bypassPermissions", "allow", "allow"],
		]);
	});

	it("is asked about where a file's name would be an option, or the folder would make git run programs", () => {
		expect(judge("cat *", { cwd: join(root, "dashed") })).toBe("ask");
		expect(judge("cat ./*", { cwd: join(root, "dashed") })).toBe("allow");
		for (const folder of ["bare", "bare/below", "borrowing", "clone/sub", "pointing", "pointing/below"]) {
			expect([folder, judge("git status", { cwd: join(root, folder) })]).toEqual([folder, "ask"]);
		}
		expect(judge("git status", { cwd: join(root, "clone/src") })).toBe("allow");
		expect(judge("git status", { cwd: join(root, "worktree") })).toBe("allow");
		expect(judge("git status", { cwd: join(root, "bare"), allow: ["Bash(git status *)"] })).toBe("allow");
		const setup: Setup = { cwd: join(root, "clone"), allow: ["Bash(git status *)", "Bash(cd *)"] };
		expect(judge("cd src && git status", setup)).toBe("allow");
		expect(judge("cd sub && git status", setup)).toBe("ask");
		expect(judge("cd $X && git status", setup)).toBe("ask");
	});

	it("is not judged for longer than a moment, however many files a pattern stands for", async () => {
		const names = Array.from({ length: 1_500 }, (_, at) => [`many/f${at}`, ""]);
		await writeTree(root, Object.fromEntries(names));
		expect(judge("cat *", { cwd: join(root, "many") })).toBe("allow");
		expect(judge("cat * *", { cwd: join(root, "many") })).toBe("ask");
		expect(judge(`cat ${"x*.txt ".repeat(500)}`, { cwd: join(root, "many") })).toBe("ask");
		expect(judge(`cat ${"* ".repeat(500)}`, { cwd: join(root, "many"), deny: ["Read(.env)"] })).toBe("ask");
	});

	it("may go through words that are written out, or that are files of the workspace", () => {
		expect(judge("for f in src/a.ts; do cat $f; done")).toBe("allow");
		expect(judge('for f in src/a.*; do head -5 "$f"; done')).toBe("allow");
		expect(judge('while read -r line; do echo "$line"; done < src/a.ts')).toBe("allow");
		expect(judge("for f in src/*; do cat $f; done")).toBe("ask");
		expect(judge("for f in 'src/a.ts /etc/passwd'; do cat $f; done")).toBe("ask");
		expect(judge('for f in src; do diff -- "$f" secrets; done')).toBe("ask");
		expect(judge("for f in -R; do grep $f x .; done")).toBe("ask");
		expect(judge('for f in a; do read -r f; cat "$f"; done < src/a.ts')).toBe("ask");
		expect(judge("for f in .env; do cat $f; done", { deny: ["Read(.env)"] })).toBe("ask");
	});

	it("is asked about where it looks at processes and devices, wherever the workspace is", () => {
		expect(judge("cat etc/hostname", { cwd: "/" })).toBe("allow");
		expect(judge("cat proc/1/environ", { cwd: "/" })).toBe("ask");
		expect(judge("cat /dev/random", { cwd: "/" })).toBe("ask");
	});

	it("never reads a path that lies outside, whatever it is written behind", () => {
		const reader = fc.constantFrom(
			"cat",
			"head -n 3",
			"grep x",
			"rg x",
			"sed -n p",
			"wc -l",
			"sort",
			"git diff",
			"ls",
			"stat",
		);
		const outside = fc.constantFrom(
			"/etc/passwd",
			"../outside/secret.txt",
			"src/../../outside/secret.txt",
			"./link/secret.txt",
			"src/linked.txt",
			"~/.ssh/id",
			"$HOME/.ssh/id",
		);
		const inside = fc.constantFrom("src/a.ts", "./src", ".env", "-n", "--", "2>/dev/null", "'x y'");
		const glues = fc.constantFrom(" ; ", " && ", " | ", "\n", " || ");
		fc.assert(
			fc.property(
				reader,
				fc.array(inside, { maxLength: 3 }),
				outside,
				fc.array(inside, { maxLength: 2 }),
				glues,
				(name, before, path, after, glue) => {
					const command = [name, ...before, path, ...after].join(" ");
					expect(judge(command)).toBe("ask");
					expect(judge(`ls${glue}${command}`)).toBe("ask");
				},
			),
			{ numRuns: 150 },
		);
	});
});
