import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { makeTempDir } from "../store/temp-dir.ts";
import { ENV, git, leftIn, makeGit, makeRepository, setUp, write } from "./setup.ts";

const codeOf = (work: Promise<unknown>) =>
	work.then(
		() => "resolved",
		(thrown: { code: string; message: string }) => `${thrown.code}: ${thrown.message}`,
	);

describe("A new worktree", () => {
	it("has the files of the last commit, a branch of its own, and the session's folder in it", async () => {
		const repository = await makeRepository({ "a.txt": "a\n", "packages/api/b.txt": "b\n" });
		write(repository, { "a.txt": "changed\n", "untracked.txt": "x\n" });
		const { worktrees, folder } = await setUp(join(repository, "packages/api"));
		const worktree = await worktrees.add({ id: "task_1", name: "Fix the parser!" });
		expect(worktree.branch).toMatch(/^clowder\/fix-the-parser-[0-9a-f]{8}$/);
		expect(worktree.path).toBe(join(folder, worktree.branch.slice("clowder/".length)));
		expect(worktree.cwd).toBe(join(worktree.path, "packages/api"));
		expect(worktree.origin).toBe(repository);
		expect(worktree.base).toBe(await git(repository, "rev-parse", "HEAD"));
		expect(await git(worktree.path, "branch", "--show-current")).toBe(worktree.branch);
		expect(await git(worktree.path, "status", "--porcelain")).toBe("");
		expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("a\n");
		expect(readFileSync(join(worktree.cwd, "b.txt"), "utf8")).toBe("b\n");
		expect(await git(repository, "status", "--porcelain")).toBe(" M a.txt\n?? untracked.txt");
	});

	it("gets the session's folder also when no commit knows it", async () => {
		const repository = await makeRepository();
		write(repository, { "new/x.txt": "x\n" });
		const { worktrees } = await setUp(join(repository, "new"));
		const { path, cwd } = await worktrees.add({ id: "task_1", name: "" });
		expect(cwd).toBe(join(path, "new"));
		expect(readdirSync(cwd)).toEqual([]);
	});

	it("is refused where a committed link would lead the session's folder out of it", async () => {
		const repository = await makeRepository();
		const outside = realpathSync(makeTempDir());
		symlinkSync(outside, join(repository, "sub"));
		await git(repository, "add", "sub");
		await git(repository, "commit", "--quiet", "--message=link");
		rmSync(join(repository, "sub"));
		await mkdir(join(repository, "sub"));
		const { worktrees } = await setUp(join(repository, "sub"));
		expect(await codeOf(worktrees.add({ id: "task_1", name: "x" }))).toContain("ERR_GIT: In the worktree");
		expect(await leftIn(repository)).toEqual([]);
	});

	it("starts from another folder's commit when it is told to", async () => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const parent = await worktrees.add({ id: "task_1", name: "parent" });
		write(parent.path, { "b.txt": "b\n" });
		await git(parent.path, "add", "b.txt");
		await git(parent.path, "commit", "--quiet", "--message=second");
		const child = await worktrees.add({ id: "task_2", name: "child", from: parent.cwd });
		expect(existsSync(join(child.path, "b.txt"))).toBe(true);
		expect(child.origin).toBe(repository);
	});

	it("is made beside 7 others at the same time, each with its own folder and branch", async () => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const made = await Promise.all(
			Array.from({ length: 8 }, (_, index) => worktrees.add({ id: `task_${index}`, name: "same" })),
		);
		expect(new Set(made.map(({ path }) => path)).size).toBe(8);
		expect(await Promise.all(made.map(({ path }) => git(path, "status", "--porcelain")))).toEqual(Array(8).fill(""));
		expect(await Promise.all(made.map((worktree) => worktrees.finish(worktree)))).toEqual(
			Array(8).fill({ kept: false }),
		);
		expect(await leftIn(repository)).toEqual([]);
	});

	it("runs no hook of the repository, and heeds no GIT_ variable that points elsewhere", async () => {
		const repository = await makeRepository();
		const other = await makeRepository({ "other.txt": "" });
		const hook = join(repository, ".git/hooks/post-checkout");
		writeFileSync(hook, `#!/bin/sh\ntouch ${repository}/hook-ran\n`);
		await chmod(hook, 0o755);
		const { worktrees } = await setUp(repository, {
			env: { ...ENV, GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, "index") },
		});
		const { path } = await worktrees.add({ id: "task_1", name: "x" });
		expect(existsSync(join(path, "a.txt"))).toBe(true);
		expect(existsSync(join(repository, "hook-ran"))).toBe(false);
	});

	it("waits for a lock that another git holds for a moment", async () => {
		const repository = await makeRepository();
		const met = join(makeTempDir(), "met");
		const busy = `echo "fatal: Unable to create '${repository}/.git/packed-refs.lock': File exists." >&2; exit 128`;
		const PATH = makeGit(`case "$*" in *"worktree add"*) if [ ! -e ${met} ]; then touch ${met}; ${busy}; fi;; esac`);
		const { worktrees } = await setUp(repository, { env: { ...ENV, PATH } });
		expect(existsSync((await worktrees.add({ id: "task_1", name: "x" })).path)).toBe(true);
		expect(existsSync(met)).toBe(true);
	});

	it("leaves nothing behind when it is stopped while its files are checked out", async () => {
		const repository = await makeRepository();
		await git(repository, "config", "filter.slow.smudge", "sleep 60");
		write(repository, { ".gitattributes": "*.slow filter=slow\n", "b.slow": "b\n" });
		await git(repository, "add", "--all");
		await git(repository, "commit", "--quiet", "--message=slow");
		const { worktrees, folder, store } = await setUp(repository);
		const stop = new AbortController();
		const added = codeOf(worktrees.add({ id: "task_1", name: "x" }, stop.signal));
		while (!existsSync(folder) || readdirSync(folder).length === 0) await new Promise((done) => setTimeout(done, 5));
		stop.abort(new Error("enough"));
		expect(await added).toMatch(/^ERR_ABORTED: git \w+ was stopped: enough$/);
		expect(readdirSync(folder)).toEqual([]);
		expect(await leftIn(repository)).toEqual([]);
		expect(store.faults()).toEqual([]);
	});
});

describe("A folder of which no worktree can be made", () => {
	const empty = () => realpathSync(makeTempDir());
	it.each([
		["is in no repository", async () => empty(), /^ERR_NO_REPOSITORY: \S+ is not in a git repository\. Make it one/],
		[
			"has no commit yet",
			async () => {
				const folder = empty();
				await git(folder, "init", "--quiet");
				return folder;
			},
			/^ERR_NO_REPOSITORY: The repository of \S+ has no commit yet\. Commit something first/,
		],
		[
			"is a bare repository",
			async () => {
				const folder = empty();
				await git(folder, "clone", "--quiet", "--bare", await makeRepository(), folder);
				return folder;
			},
			/^ERR_NO_REPOSITORY: The repository \S+ is bare\. Start in a clone of it that has files/,
		],
		["is gone", async () => join(empty(), "gone"), /^ERR_GIT: The folder \S+ is gone\. Name an existing folder$/],
	])("says so and what to do when it %s", async (_, make, text) => {
		const { worktrees } = await setUp(await make());
		expect(await codeOf(worktrees.check())).toMatch(text);
		const said = await codeOf(worktrees.add({ id: "task_1", name: "x" }));
		expect(said).toMatch(text);
		expect(said).not.toContain("\n");
	});

	it("says so when git is not installed", async () => {
		const { worktrees } = await setUp(await makeRepository(), { env: { PATH: makeTempDir() } });
		expect(await codeOf(worktrees.check())).toBe(
			"ERR_GIT: git was not found. Install git and put it on the PATH, or start agents without isolation",
		);
	});

	it("says how to trust a repository that belongs to somebody else", async () => {
		const repository = await makeRepository();
		const says = [
			`fatal: detected dubious ownership in repository at '${repository}'`,
			"To add an exception for this directory, call:",
			"",
			`\tgit config --global --add safe.directory ${repository}`,
		];
		const PATH = makeGit(`cat >&2 <<'END'\n${says.join("\n")}\nEND\nexit 128`);
		const { worktrees } = await setUp(repository, { env: { ...ENV, PATH } });
		expect(await codeOf(worktrees.check())).toBe(
			`ERR_GIT: No worktree can be made of ${repository}: git says: detected dubious ownership in repository at '${repository}'. git config --global --add safe.directory ${repository}`,
		);
	});

	it("does not wait for a git that never ends, and ends what it started", async () => {
		const repository = await makeRepository();
		const pid = join(makeTempDir(), "pid");
		const PATH = makeGit(`PATH='${ENV.PATH}'; sleep 600 & echo $! > ${pid}; wait`);
		const after: Clock["after"] = (ms, callback) =>
			ms < 60_000 ? systemClock.after(ms, callback) : systemClock.every(5, () => void (existsSync(pid) && callback()));
		const { worktrees } = await setUp(repository, { env: { ...ENV, PATH }, clock: { ...systemClock, after } });
		expect(await codeOf(worktrees.check())).toMatch(
			/^ERR_GIT: git rev-parse in \S+ took longer than 60 s\. Try it by hand/,
		);
		const child = Number(readFileSync(pid, "utf8"));
		const stat = `/proc/${child}/stat`;
		const isGone = () => !existsSync(stat) || readFileSync(stat, "utf8").includes(") Z ");
		while (!isGone()) await new Promise((next) => setTimeout(next, 5));
	});

	it("names the lock that stays, and how to go on", async () => {
		const repository = await makeRepository();
		const lock = join(repository, ".git/index.lock");
		const busy = `echo "fatal: Unable to create '${lock}': File exists." >&2; exit 128`;
		const PATH = makeGit(`case "$*" in *"worktree add"*) ${busy};; esac`);
		// No wait between tries takes time here; what bounds git's own time stays.
		const after: Clock["after"] = (ms, callback) => systemClock.after(ms < 2_000 ? 0 : ms, callback);
		const { worktrees } = await setUp(repository, { env: { ...ENV, PATH }, clock: { ...systemClock, after } });
		expect(await codeOf(worktrees.add({ id: "task_1", name: "x" }))).toBe(
			`ERR_GIT: No worktree could be made of ${repository}: git says: Unable to create '${lock}': File exists. When no git is at work there, remove ${lock}`,
		);
	});
});
