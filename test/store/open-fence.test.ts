import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/lib/clock.ts";
import { createOpenFence } from "../../src/store/open-fence.ts";
import { openStore } from "../../src/store/store.ts";
import { buildFixture, startChild } from "./child.ts";
import { makeTempDir } from "./temp-dir.ts";

let fixture: string;

beforeAll(async () => {
	fixture = await buildFixture(new URL("./fixtures/open-and-count.ts", import.meta.url), "open-and-count");
	return () => rmSync(dirname(fixture), { recursive: true, force: true });
});

test("loses no commit of one process while others open the store", { timeout: 60_000 }, async () => {
	const stateDir = makeTempDir();
	const store = await openStore({ stateDir, clock: systemClock });
	const counter = store.table("counter", z.number());
	await store.transaction(() => counter.set("n", 0));
	const parts = ["count", "count", "open", "open"];
	const children = parts.map((part) => startChild(process.execPath, [fixture, stateDir, part, "200"]));
	await Promise.all(children.map((child) => child.ended));
	expect(children.map((child) => [child.lines, child.stderr()])).toEqual(parts.map(() => [["done"], ""]));
	expect(await store.transaction(() => counter.get("n"))).toBe(400);
	await store.close();
	expect(readdirSync(join(stateDir, "db")).sort()).toEqual(["data.mdb", "lock.mdb"]);
});

test("lets no commit begin while somebody opens, nor anybody open before a commit is over", async () => {
	const folder = makeTempDir();
	const [writer, opener] = [createOpenFence(folder), createOpenFence(folder)];
	expect(writer.enter()).toBe(true);
	const steps: string[] = [];
	const opened = opener.open(() => steps.push(`opened, the other may write: ${writer.enter()}`));
	expect(createOpenFence(folder).enter()).toBe(false);
	steps.push("commit over");
	writer.leave();
	await opened;
	expect(steps).toEqual(["commit over", "opened, the other may write: false"]);
	expect(writer.enter()).toBe(true);
	writer.leave();
	expect(readdirSync(folder)).toEqual([]);
});

test("does not wait for the dead", async () => {
	const folder = makeTempDir();
	for (const kind of ["opening", "writing"]) writeFileSync(join(folder, `${kind}-${2 ** 22 + 1}_x`), "");
	const fence = createOpenFence(folder);
	expect(fence.enter()).toBe(true);
	fence.leave();
	expect(await fence.open(() => "open")).toBe("open");
	expect(readdirSync(folder)).toEqual([]);
});
