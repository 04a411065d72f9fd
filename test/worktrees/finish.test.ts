import { existsSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Worktree, worktreeRecordSchema } from "../../src/worktrees/worktree.ts";
import { git, leftIn, makeRepository, setUp, write } from "./setup.ts";

const commit = async (folder: string, files: Readonly<Record<string, string>>) => {
	write(folder, files);
	await git(folder, "add", "--all");
	await git(folder, "commit", "--quiet", "--message=more");
};

describe("A worktree whose agent is done", () => {
	it.each<[string, (path: string) => unknown, string]>([
		["a changed file", (path) => write(path, { "a.txt": "b\n" }), "it has uncommitted changes"],
		["a removed file", (path) => rmSync(join(path, "a.txt")), "it has uncommitted changes"],
		["a file git does not know", (path) => write(path, { "new/x.txt": "" }), "it has uncommitted changes"],
		["another mode of a file", (path) => chmod(join(path, "a.txt"), 0o755), "it has uncommitted changes"],
		["a staged file", (path) => git(path, "rm", "-q", "--cached", "a.txt"), "it has uncommitted changes"],
		["a repository of its own", (path) => git(path, "init", "--quiet", "inner"), "it has uncommitted changes"],
		["a new commit", (path) => commit(path, { "b.txt": "b\n" }), "its branch has new commits"],
		["an empty commit", (path) => git(path, "commit", "-q", "--allow-empty", "-m", "x"), "its branch has new commits"],
		["another branch", (path) => git(path, "switch", "-q", "-c", "other"), "another branch is checked out in it"],
		["a detached head", (path) => git(path, "switch", "-q", "--detach"), "another branch is checked out in it"],
		[
			"commits that were thrown away",
			async (path) => {
				await commit(path, { "b.txt": "b\n" });
				await git(path, "reset", "--quiet", "--hard", "HEAD~1");
			},
			"it had commits that its branch has no longer",
		],
	])("is kept when it has %s", async (_, change, reason) => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		await change(worktree.path);
		expect(await worktrees.finish(worktree)).toEqual({ kept: true, reason });
		expect(existsSync(worktree.path)).toBe(true);
		expect(await git(repository, "branch", "--list", worktree.branch)).toContain(worktree.branch);
	});

	it.each<[string, (worktree: Worktree) => unknown]>([
		["nothing was done in it", () => undefined],
		["it has only files that git ignores", ({ path }) => write(path, { "out/x.log": "x", "y.log": "y" })],
		["its files were written again as they were", ({ path }) => write(path, { "a.txt": "a\n" })],
		["its folder is gone", ({ path }) => rmSync(path, { recursive: true })],
	])("is removed with its branch when %s", async (_, change) => {
		const repository = await makeRepository({ "a.txt": "a\n", ".gitignore": "*.log\nout/\n" });
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		await change(worktree);
		expect(await worktrees.finish(worktree)).toEqual({ kept: false });
		expect(existsSync(worktree.path)).toBe(false);
		expect(await leftIn(repository)).toEqual([]);
	});

	it("counts files that a person told git not to show", async () => {
		const repository = await makeRepository();
		await git(repository, "config", "status.showUntrackedFiles", "no");
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		write(worktree.path, { "new.txt": "" });
		expect(await worktrees.finish(worktree)).toEqual({ kept: true, reason: "it has uncommitted changes" });
	});

	it("keeps the branch when the folder is gone and the branch has commits", async () => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		await commit(worktree.path, { "b.txt": "b\n" });
		rmSync(worktree.path, { recursive: true });
		expect(await worktrees.finish(worktree)).toEqual({ kept: true, reason: "its branch has new commits" });
		expect(await leftIn(repository)).toEqual([`refs/heads/${worktree.branch}`]);
	});

	it("is kept when git cannot look into it", async () => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		rmSync(join(worktree.path, ".git"));
		const finished = await worktrees.finish(worktree);
		expect(finished.kept).toBe(true);
		expect(finished.reason).toMatch(/^it could not be looked into: git says: not a git repository/);
		expect(existsSync(join(worktree.path, "a.txt"))).toBe(true);
	});

	it("is removed also where the repository has submodules", async () => {
		const repository = await makeRepository();
		const inner = await makeRepository();
		await git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner");
		await git(repository, "commit", "--quiet", "--message=inner");
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		expect(await worktrees.finish(worktree)).toEqual({ kept: false });
		expect(await leftIn(repository)).toEqual([]);
	});

	it("leaves worktrees of the person's alone, also those whose disk is not there now", async () => {
		const repository = await makeRepository();
		const own = join(repository, "..", `own-${Date.now()}`);
		await git(repository, "worktree", "add", "--quiet", own);
		rmSync(own, { recursive: true });
		const { worktrees } = await setUp(repository);
		await worktrees.finish(await worktrees.add({ id: "task_1", name: "x" }));
		expect(await leftIn(repository)).toEqual([`worktree ${own}`]);
	});

	it("is finished once: asking again gives the same answer", async () => {
		const { worktrees } = await setUp(await makeRepository());
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		const both = await Promise.all([worktrees.finish(worktree), worktrees.finish(worktree)]);
		expect(both).toEqual([{ kept: false }, { kept: false }]);
		expect(await worktrees.finish(worktree)).toEqual({ kept: false });
	});

	it("is finished at the session's end when it could not be before", async () => {
		const repository = await makeRepository();
		const { worktrees } = await setUp(repository);
		const worktree = await worktrees.add({ id: "task_1", name: "x" });
		expect(await worktrees.finish(worktree, "a job runs in it")).toEqual({ kept: true, reason: "a job runs in it" });
		expect(existsSync(worktree.path)).toBe(true);
		await worktrees.close();
		expect(await leftIn(repository)).toEqual([]);
	});
});

describe("Worktrees of a process that is gone", () => {
	const isOpen = async () => false;

	it("are removed when unchanged, and kept and told of once when not", async () => {
		const repository = await makeRepository();
		const crashed = await setUp(repository, { sessionId: "session_old" });
		const [unchanged, changed] = [
			await crashed.worktrees.add({ id: "task_1", name: "unchanged" }),
			await crashed.worktrees.add({ id: "task_2", name: "changed" }),
		];
		write(changed.path, { "new.txt": "" });
		const { worktrees } = await setUp(repository, { store: crashed.store, folder: crashed.folder });
		expect(await worktrees.finishStale(isOpen)).toMatchObject([{ id: "task_2", path: changed.path }]);
		expect(existsSync(unchanged.path)).toBe(false);
		expect(existsSync(changed.path)).toBe(true);
		expect(await worktrees.finishStale(isOpen)).toEqual([]);
	});

	it("are left alone while their process lives, and go to one of those who look for them", async () => {
		const repository = await makeRepository();
		const other = await setUp(repository, { sessionId: "session_other" });
		const { path } = await other.worktrees.add({ id: "task_1", name: "x" });
		write(path, { "new.txt": "" });
		const [first, second] = await Promise.all(
			["session_1", "session_2"].map((sessionId) => setUp(repository, { sessionId, store: other.store })),
		);
		expect(await first?.worktrees.finishStale(async () => true)).toEqual([]);
		const found = await Promise.all([first, second].map((each) => each?.worktrees.finishStale(isOpen)));
		expect(found.flat()).toHaveLength(1);
	});

	it("are removed also when the crash came before git had made them", async () => {
		const repository = await makeRepository();
		const crashed = await setUp(repository, { sessionId: "session_old" });
		const worktree = await crashed.worktrees.add({ id: "task_1", name: "x" });
		await git(repository, "worktree", "remove", worktree.path);
		await git(repository, "branch", "--quiet", "-D", worktree.branch);
		const { worktrees } = await setUp(repository, { store: crashed.store });
		expect(await worktrees.finishStale(isOpen)).toEqual([]);
	});

	it("are removed when the crash came while their files were checked out, although half of them looks like a change", async () => {
		const repository = await makeRepository();
		const crashed = await setUp(repository, { sessionId: "session_old" });
		const worktree = await crashed.worktrees.add({ id: "task_1", name: "x" });
		const records = crashed.store.table("worktrees", worktreeRecordSchema);
		const record = records.get(["session_old", "task_1"]);
		expect(record).toMatchObject({ status: "open", path: worktree.path });
		if (record)
			await crashed.store.transaction(() => records.set(["session_old", "task_1"], { ...record, status: "making" }));
		rmSync(join(worktree.path, "a.txt"));
		const { worktrees } = await setUp(repository, { store: crashed.store });
		expect(await worktrees.finishStale(async () => false)).toEqual([]);
		expect(existsSync(worktree.path)).toBe(false);
		expect(await git(repository, "branch", "--list", worktree.branch)).toBe("");
		expect(records.get(["session_old", "task_1"])).toBeUndefined();
	});

	it("are given to their owner again when its session goes on", async () => {
		const repository = await makeRepository();
		const before = await setUp(repository);
		const mine = await before.worktrees.add({ id: "teammate:ada", name: "ada" });
		write(mine.path, { "new.txt": "" });
		const after = await setUp(repository, { store: before.store });
		expect(await after.worktrees.finishStale(isOpen)).toHaveLength(1);
		expect(await after.worktrees.add({ id: "teammate:ada", name: "ada" })).toMatchObject({ path: mine.path });
		rmSync(join(mine.path, "new.txt"));
		expect(await after.worktrees.finish(mine)).toEqual({ kept: false });
	});
});
