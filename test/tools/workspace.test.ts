import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace, type Workspace } from "../../src/tools/workspace.ts";

let base: string;
let root: string;
let workspace: Workspace;

beforeAll(async () => {
	base = await realpath(await mkdtemp(join(tmpdir(), "clowder-workspace-")));
	root = join(base, "work");
	await mkdir(join(root, "src", "deep"), { recursive: true });
	await mkdir(join(base, "outside", "inner"), { recursive: true });
	await mkdir(join(base, "work-2"));
	await mkdir(join(base, "added"));
	await writeFile(join(base, "outside", "secret"), "s");
	await writeFile(join(root, "src", "a.ts"), "a");
	await symlink(join(base, "outside"), join(root, "out"));
	await symlink("../outside", join(root, "out-relative"));
	await symlink(join(base, "outside", "secret"), join(root, "secret-link"));
	await symlink(join(base, "outside", "not-there-yet"), join(root, "dangling"));
	await symlink("../../outside/not-there-yet", join(root, "src", "dangling-relative"));
	await symlink("out", join(root, "link-to-link"));
	await symlink("/", join(root, "slash"));
	await symlink(".", join(root, "here"));
	await symlink("src/deep", join(root, "deep-link"));
	await symlink("loop-b", join(root, "loop-a"));
	await symlink("loop-a", join(root, "loop-b"));
	await symlink("/proc/self/root", join(root, "proc-root"));
	await symlink("/dev/fd", join(root, "descriptors"));
	await symlink(root, join(base, "entry"));
	await mkdir(join(root, "swapped"));
	workspace = await createWorkspace({ cwd: root });
});

afterAll(() => rm(base, { recursive: true, force: true }));

describe("escapes", () => {
	it.each([
		"..",
		"../",
		"../outside/secret",
		"../work-2/file",
		"src/../../outside/secret",
		"src/deep/../../../outside",
		"missing/../../outside/secret",
		"./../outside",
		"/etc/passwd",
		"/",
		"//etc/passwd",
		"out",
		"out/secret",
		"out/new-file",
		"out/new-folder/new-file",
		"out/inner/../secret",
		"out/../work-2",
		"out-relative/secret",
		"secret-link",
		"dangling",
		"src/dangling-relative",
		"link-to-link/secret",
		"slash/etc/passwd",
		"slash",
		"here/here/out/secret",
		"here/../outside/secret",
		"deep-link/../../../outside/secret",
		"deep-link/../../..",
		"proc-root/etc/passwd",
		"descriptors/0",
		"/proc/self/cwd/../../../../etc/passwd",
		"/proc/self/root/etc/passwd",
	])("refuses %s", async (path) => {
		await expect(workspace.resolve(path)).rejects.toThrow(`Error: path escapes workspace: ${path}`);
	});

	it("refuses an absolute path to a folder whose name begins like the workspace", async () => {
		const path = `${root}-2/file`;
		await expect(workspace.resolve(path)).rejects.toThrow(`Error: path escapes workspace: ${path}`);
	});

	it("refuses a null byte", async () => {
		await expect(workspace.resolve("a\0../../etc")).rejects.toThrow("Error: path contains a null byte");
	});

	it("refuses a symlink loop with a text that says so", async () => {
		await expect(workspace.resolve("loop-a")).rejects.toThrow("Error: too many symbolic links in ");
	});

	it("refuses a path longer than any file system takes", async () => {
		await expect(workspace.resolve("a/".repeat(3000))).rejects.toThrow("Error: path is too long (");
	});

	it("sees a folder that was swapped for a symlink since the last call", async () => {
		expect(await workspace.resolve("swapped/secret")).toBe(join(root, "swapped/secret"));
		await rename(join(root, "swapped"), join(root, "old"));
		await symlink(join(base, "outside"), join(root, "swapped"));
		await expect(workspace.resolve("swapped/secret")).rejects.toThrow("Error: path escapes workspace: swapped/secret");
	});
});

describe("paths inside", () => {
	it.each([
		[".", ""],
		["src/a.ts", "src/a.ts"],
		["./src//a.ts", "src/a.ts"],
		["src/../src/a.ts", "src/a.ts"],
		["new/folder/file", "new/folder/file"],
		["deep-link/x", "src/deep/x"],
		["deep-link/../a.ts", "src/a.ts"],
		["here/here/src", "src"],
		["../work/src", "src"],
		["dir with spaces/ünïcode-文件-🐱.txt", "dir with spaces/ünïcode-文件-🐱.txt"],
		["..hidden", "..hidden"],
		["~/x", "~/x"],
	])("resolves %s", async (path, expected) => {
		expect(await workspace.resolve(path)).toBe(expected ? join(root, expected) : root);
	});

	it("takes an absolute path through a symlink to the workspace", async () => {
		expect(await workspace.resolve(join(base, "entry", "src/a.ts"))).toBe(join(root, "src/a.ts"));
	});

	it("takes its root through a symlink", async () => {
		const linked = await createWorkspace({ cwd: join(base, "entry") });
		expect(linked.root).toBe(root);
	});

	it("names an empty path as missing", async () => {
		await expect(workspace.resolve("")).rejects.toThrow("Error: path is required");
	});

	it("reaches added folders, relative ones from the working folder", async () => {
		const wider = await createWorkspace({ cwd: root, additionalDirectories: ["../added", join(base, "outside")] });
		expect(await wider.resolve("../added/x")).toBe(join(base, "added/x"));
		expect(await wider.resolve("out/secret")).toBe(join(base, "outside/secret"));
		await expect(wider.resolve("../work-2")).rejects.toThrow("Error: path escapes workspace: ../work-2");
	});

	it("allows everything where the workspace is the root of the file system", async () => {
		const all = await createWorkspace({ cwd: "/" });
		expect(await all.resolve("etc")).toBe(await realpath("/etc"));
		expect(all.display("/etc")).toBe("etc");
	});

	it("shows paths relative to the root, and others as they are", () => {
		expect(workspace.display(join(root, "src/a.ts"))).toBe("src/a.ts");
		expect(workspace.display(root)).toBe(".");
		expect(workspace.display("/etc/passwd")).toBe("/etc/passwd");
	});
});

it("agrees with the kernel on every existing path, and never answers outside the root", async () => {
	const part = fc.constantFrom(
		"..",
		".",
		"src",
		"deep",
		"a.ts",
		"out",
		"inner",
		"here",
		"deep-link",
		"slash",
		"work",
		"x",
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 7 }), async (parts) => {
			const path = parts.join("/");
			const kernel = await realpath(`${root}/${path}`).catch(() => undefined);
			const ours = await workspace.resolve(path).catch(() => undefined);
			if (ours !== undefined) expect(ours === root || ours.startsWith(`${root}/`)).toBe(true);
			if (kernel === undefined) return;
			const inside = kernel === root || kernel.startsWith(`${root}/`);
			expect(ours).toBe(inside ? kernel : undefined);
		}),
		{ numRuns: 100 },
	);
});
