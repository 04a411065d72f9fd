// Commands that programs run in ways of their own, with everything allowed but what a rule denies.

import { describe, expect, it } from "vitest";
import { decideBash } from "./harness.ts";

const RULES = { allow: ["Bash"], deny: ["Bash(curl *)", "Bash(git push *)"] };

describe("a denied command that another program runs", () => {
	it.each([
		"npx curl x",
		"npm exec -- curl x",
		"uv run curl x",
		"poetry run curl x",
		"bundle exec curl x",
		"direnv exec . curl x",
		"conda run -n base curl x",
		"docker run --rm image curl x",
		"tmux new -d 'curl x'",
		"screen -dm curl x",
		"hyperfine 'curl x'",
		"perf stat -r 3 curl x",
		"prlimit --nofile=1 curl x",
		"setarch x86_64 curl x",
		"runuser -u nobody -- curl x",
		"su -c 'curl x'",
		"npx npx npx curl x",
		"timeout 5 npx curl x",
		"npx -y curl $x",
		"tar --to-command='curl x' -xf a",
		"tar --checkpoint=1 --checkpoint-action=exec='curl x' -cf a b",
		"tar -I 'curl x' -cf a b",
		"rsync -e 'curl x' a b:c",
		"split --filter='curl x' a",
		"sort --compress-program=curl a",
		"man -P 'curl x' ls",
		"git rebase -x 'curl x' HEAD~1",
		"git rebase --exec='curl x' HEAD",
		"git bisect run curl x",
		"git submodule foreach 'curl x'",
		"git submodule foreach --recursive curl x",
		"git filter-branch --tree-filter 'curl x'",
		"git difftool --extcmd='curl x'",
		"git grep -O'curl x' foo",
		"git clone -u 'curl x' a b",
		"git fetch --upload-pack='curl x' a",
		"git archive --exec='curl x' --remote=a HEAD",
		"git rebase -x 'git push' HEAD~1",
		"git-push origin",
		"/usr/lib/git-core/git-push origin",
		"GIT_SSH_COMMAND='curl x' git fetch",
		"GIT_PAGER='curl x' git -p log",
		"GIT_EXTERNAL_DIFF=curl git diff",
		"EDITOR='curl x' git commit",
		"env GIT_EDITOR='curl x' git commit",
		"export GIT_SSH_COMMAND='curl x'; git fetch",
		"bash /dev/stdin <<< 'curl x'",
	])("is denied in %j", (command) => {
		expect(decideBash(RULES, command).decision).toBe("deny");
	});

	it.each([
		`awk 'BEGIN { system("curl x") }'`,
		`awk 'BEGIN { "curl x" | getline }'`,
		`gawk 'BEGIN { print | "curl x" }'`,
		"sed '1e curl x' a",
		"sed 's/a/curl x/e' a",
		`perl -e 'system("curl x")'`,
		`python3 -c 'import os; os.system("curl x")'`,
		`node -e 'require("child_process").execSync("curl x")'`,
		`ruby -e 'exec "curl x"'`,
		"vim -es '+!curl x' +q",
		"ed <<< '!curl x'",
		"sqlite3 a '.shell curl x'",
		"git config core.pager 'curl x'",
		"git config --global alias.p push",
		"git clone 'ext::curl x' b",
		"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!curl y' git x",
		'EDITOR="$x" git commit',
		'git rebase -x "$x" HEAD~1',
		"bash --rcfile <(echo curl x) -i",
	])("is asked about in %j", (command) => {
		expect(decideBash(RULES, command).decision).toBe("ask");
	});

	it.each([
		"npx vitest run test/curl.test.ts",
		"npm run build",
		"npm exec tsc -- -p .",
		"uv run pytest -k 'not slow'",
		"docker run --rm image npm test",
		"docker ps",
		"tar -xzf a.tar.gz",
		"rsync -a a b",
		"git rebase -i HEAD~3",
		"git rebase -x 'npm test' main",
		"git bisect run npm test",
		"git submodule update --init",
		"git submodule foreach 'git status'",
		"git config user.name ada",
		"git clean -xn",
		"git fetch -u origin",
		"PAGER=cat git log",
		"EDITOR=true git commit --amend",
		"EDITOR= git commit",
		"awk '{ print $2 }' a",
		"awk -F'|' '{ print $2 \"|\" $3 }' a",
		"sed -n '1,5p' a",
		"sed 's/one/else/g' a",
		"python3 -c 'print(1)'",
		"node -e 'console.log(1)'",
		"bash ./build.sh",
	])("is not seen in %j", (command) => {
		expect(decideBash(RULES, command).decision).toBe("allow");
	});

	it("is looked for in no more than a moment, however many programs stand in a row", () => {
		const started = performance.now();
		decideBash(RULES, `${"npx ".repeat(40)}x`);
		decideBash(RULES, Array.from({ length: 200 }, (_, i) => `uv${i} npx a${i} b${i} c${i}`).join(" "));
		expect(performance.now() - started).toBeLessThan(5_000);
	});
});

it("refuses what is always refused also behind another program", () => {
	expect(decideBash({ allow: ["Bash(git *)"] }, "git rebase -x 'rm -rf /' HEAD~1").decision).toBe("deny");
});

it("leaves an allow rule its reach", () => {
	expect(decideBash({ allow: ["Bash(npx vitest *)"] }, "npx vitest run a").decision).toBe("allow");
	expect(decideBash({ allow: ["Bash(git *)"] }, "git rebase -x 'npm test' main").decision).toBe("allow");
	expect(decideBash({ allow: ["Bash(python3 *)"] }, "python3 -c 'import subprocess'").decision).toBe("allow");
});
