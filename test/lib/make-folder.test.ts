import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../src/lib/make-folder.ts";

function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "clowder-make-folder-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

test("makes what is missing with the given mode, several at once, and leaves what is there", async () => {
	const base = newFolder();
	const wanted = join(base, "a", "b");
	await Promise.all([makeFolder(wanted, 0o700), makeFolder(wanted, 0o700), makeFolder(join(base, "a"), 0o700)]);
	expect(statSync(join(base, "a")).mode & 0o777).toBe(0o700);
	expect(statSync(wanted).mode & 0o777).toBe(0o700);
	await makeFolder(wanted, 0o755);
	expect(statSync(wanted).mode & 0o777).toBe(0o700);
});

test("tells what stands in the way", async () => {
	const base = newFolder();
	writeFileSync(join(base, "file"), "");
	symlinkSync(join(base, "nowhere"), join(base, "dangling"));
	await expect(makeFolder(join(base, "file"))).rejects.toMatchObject({ code: "EEXIST" });
	await expect(makeFolder(join(base, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
	await expect(makeFolder(join(base, "dangling"))).rejects.toMatchObject({ code: "EEXIST" });
});

test.runIf(process.platform === "linux")("comes back from a place where nothing can be made", async () => {
	await expect(makeFolder("/proc/nope/below")).rejects.toMatchObject({
		code: "ENOENT",
		message: "no folder can be made in /proc",
	});
});
