import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePrivateDir, projectStateDir } from "../../src/store/state-dir.ts";
import { makeTempDir } from "./temp-dir.ts";

test("gives a project one folder by whatever path it is reached", async () => {
	const base = realpathSync(makeTempDir());
	mkdirSync(join(base, "My App"));
	symlinkSync(join(base, "My App"), join(base, "link"));
	const direct = await projectStateDir("/home/ann", join(base, "My App"));
	expect(direct).toMatch(/^\/home\/ann\/\.clowder\/projects\/my-app-[0-9a-f]{12}$/);
	expect(await projectStateDir("/home/ann", join(base, "link"))).toBe(direct);
	expect(await projectStateDir("/home/ann", join(base, "My App", "..", "link"))).toBe(direct);
});

test("tells projects of the same name apart and names the root folder", async () => {
	expect(await projectStateDir("/h", "/gone/one/app")).not.toBe(await projectStateDir("/h", "/gone/two/app"));
	expect(await projectStateDir("/h", "/")).toMatch(/^\/h\/\.clowder\/projects\/root-[0-9a-f]{12}$/);
});

test.runIf(process.platform === "linux")("refuses a place where no folder can be made", async () => {
	await expect(makePrivateDir("/proc/nope")).rejects.toMatchObject({
		code: "ERR_STATE_DIR",
		message:
			"State in /proc/nope cannot be used: no folder can be made in /proc. Check the folder, or name another state folder",
	});
});
