import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildFixture, startChild } from "../store/child.ts";
import { makeTempDir } from "../store/temp-dir.ts";
import { setUpBoard } from "./setup.ts";

let fixture: string;

beforeAll(async () => {
	fixture = await buildFixture(new URL("./fixtures/fill-board.ts", import.meta.url), "fill-board");
	return () => rmSync(dirname(fixture), { recursive: true, force: true });
});

test.skipIf(process.platform === "win32")(
	"keeps every task it has promised when the disk takes no more, and takes new ones when it does again",
	async () => {
		const stateDir = makeTempDir();
		// A limit on the size of files stands in for a full disk.
		const child = startChild("bash", ["-c", 'ulimit -f 400; exec "$0" "$@"', process.execPath, fixture, stateDir]);
		expect(await child.ended).toEqual({ code: 0, signal: null });
		const promised = child.lines.slice(0, -2);
		expect(promised.length).toBeGreaterThan(20);
		expect(child.lines.slice(-2)).toEqual([
			expect.stringMatching(/^failed ERR_STATE_DIR State in .*db cannot be used/),
			`${promised.length} on the board`,
		]);
		const { board, store, faults } = await setUpBoard({}, stateDir);
		expect(board.list().map(({ id }) => id)).toEqual(promised);
		expect(await board.create({ title: "after" })).toMatchObject({ id: `t${promised.length + 1}` });
		expect(faults).toEqual([]);
		await store.close();
	},
);
