import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/store.ts";
import { buildFixture, startChild } from "./child.ts";
import { makeTempDir } from "./temp-dir.ts";

/** Root may write everywhere: the child is somebody else then. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let fixture: string;

beforeAll(async () => {
	fixture = await buildFixture(new URL("./fixtures/read-only.ts", import.meta.url), "read-only");
	return () => rmSync(dirname(fixture), { recursive: true, force: true });
});

/** A state folder with something in it, as the child may use it. */
async function makeState(): Promise<string> {
	const base = makeTempDir();
	// Somebody else has to get there.
	for (const folder of isRoot ? [base, dirname(base)] : []) {
		const { mode } = statSync(folder);
		if ((mode & 0o001) === 0) chmodSync(folder, mode | 0o011);
	}
	const stateDir = join(base, "state");
	const store = await openStore({ stateDir, clock: systemClock });
	await store.close();
	const transcripts = join(stateDir, "transcripts", "s");
	mkdirSync(transcripts, { recursive: true });
	writeFileSync(join(transcripts, "lead.jsonl"), "kept\n");
	if (isRoot) {
		for (const path of ["", "db", "db/data.mdb", "db/lock.mdb"]) chownSync(join(stateDir, path), NOBODY, NOBODY);
		chmodSync(join(transcripts, "lead.jsonl"), 0o444);
	}
	return stateDir;
}

test.skipIf(process.platform === "win32")(
	"names a folder that is read-only, changes nothing in it, and the rest still works",
	async () => {
		const [closed, open] = [await makeState(), await makeState()];
		const folders = [closed, join(closed, "db"), ...[closed, open].map((dir) => join(dir, "transcripts"))];
		chmodSync(join(open, "transcripts", "s", "lead.jsonl"), 0o444);
		const before = readFileSync(join(closed, "db", "data.mdb"));
		for (const folder of folders) chmodSync(folder, 0o555);
		const child = startChild(process.execPath, [fixture, closed, open], isRoot ? { uid: NOBODY, gid: NOBODY } : {});
		const { code } = await child.ended;
		for (const folder of folders) chmodSync(folder, 0o755);

		expect({ code, stderr: child.stderr() }).toEqual({ code: 0, stderr: "" });
		const remedy = "Make the folder writable for this user, or name another state folder";
		const refused = (what: string, path: string) =>
			expect.stringMatching(
				new RegExp(`^${what}: ERR_STATE_DIR State in ${path} cannot be used: EACCES: [^\\n]*\\. ${remedy}$`),
			);
		expect(child.lines).toEqual([
			refused("existing", closed),
			refused("new", join(closed, "new")),
			refused("transcript", join(open, "transcripts", "s", "lead.jsonl")),
			refused("copy", join(open, "transcripts", "t")),
			"board: t1",
		]);
		expect(readFileSync(join(closed, "db", "data.mdb")).equals(before)).toBe(true);
		expect(readFileSync(join(open, "transcripts", "s", "lead.jsonl"), "utf8")).toBe("kept\n");
		expect(readdirSync(closed)).toEqual(["db", "transcripts"]);
	},
);
