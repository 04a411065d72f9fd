import { describe, expect, test } from "vitest";
import { factsOf, listSources, readSource } from "./file-facts.ts";
import {
	findGlobalViolations,
	findImportCycles,
	findOwnerViolations,
	findRoomCycles,
	findRoomViolations,
	roomTable,
} from "./rooms.ts";

const files = listSources("src", "workers").map((path) => factsOf(path, readSource(path)));

describe("the rooms of src", () => {
	test("form layers: no room reaches itself through the table", () => {
		expect(findRoomCycles(roomTable)).toEqual([]);
	});

	test("import only what the table allows", () => {
		expect(findRoomViolations(roomTable, files)).toEqual([]);
	});

	test("keep each guarded package in the one place that owns it", () => {
		expect(findOwnerViolations(roomTable, files)).toEqual([]);
	});

	test("take time and environment from their owners", () => {
		expect(findGlobalViolations(roomTable, files)).toEqual([]);
	});

	test("hold no import cycle", () => {
		expect(findImportCycles(files)).toEqual([]);
	});
});

describe("the scanner", () => {
	test("sees enough of the project to mean something", () => {
		expect(files.length).toBeGreaterThan(50);
		expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
	});

	test("reports an import from a higher room, static, dynamic, re-exported or as a type", () => {
		const planted = factsOf(
			"src/wire/planted.ts",
			`import { a } from "../agent/a.ts";
			export { b } from "../store/b.ts";
			import type { C } from "../runtime/c.ts";
			const d = await import("../cli/d.ts");
			type E = import("../bus/e.ts").E;
			import { messageOf } from "../errors.ts";
			import { z } from "zod";`,
		);
		expect(findRoomViolations(roomTable, [planted])).toEqual([
			"src/wire/planted.ts imports src/agent/a.ts",
			"src/wire/planted.ts imports src/store/b.ts",
			"src/wire/planted.ts imports src/runtime/c.ts",
			"src/wire/planted.ts imports src/cli/d.ts",
			"src/wire/planted.ts imports src/bus/e.ts",
		]);
	});

	test("lets a room import types, but not values, where the table says so", () => {
		const planted = factsOf(
			"src/config/planted.ts",
			`import type { A } from "../wire/a.ts";
			import { b } from "../wire/b.ts";`,
		);
		expect(findRoomViolations(roomTable, [planted])).toEqual(["src/config/planted.ts imports src/wire/b.ts"]);
	});

	test("lets a feature room import one file of another room", () => {
		const planted = factsOf(
			"src/cron/planted.ts",
			`import { a } from "../agent/types.ts";
			import { b } from "../agent/loop.ts";`,
		);
		expect(findRoomViolations(roomTable, [planted])).toEqual(["src/cron/planted.ts imports src/agent/loop.ts"]);
	});

	test("reports a folder that has no row in the table", () => {
		expect(findRoomViolations(roomTable, [factsOf("src/utils/planted.ts", "")])).toEqual([
			"src/utils/planted.ts: no room in rooms.json",
		]);
	});

	test("reports a guarded package outside its owner, subpaths included, but not its types", () => {
		const planted = factsOf(
			"src/agent/planted.ts",
			`import Anthropic from "@anthropic-ai/sdk/client";
			import type { Worker } from "node:worker_threads";
			const piscina = await import("piscina");`,
		);
		expect(findOwnerViolations(roomTable, [planted])).toEqual([
			"src/agent/planted.ts imports piscina (one owner of threads: a Worker without an error listener brings the whole process down)",
			"src/agent/planted.ts imports @anthropic-ai/sdk/client (loading it costs a thread 70-110 ms of CPU, so only the gateway does)",
		]);
	});

	test("reports clocks, timers and the environment, but not look-alikes", () => {
		const planted = factsOf(
			"src/agent/planted.ts",
			`import { setTimeout as wait } from "node:timers/promises";
			setTimeout(() => {}, 1);
			globalThis.setInterval(() => {}, 1);
			const now = Date.now();
			const date = new Date();
			const key = process.env.KEY;
			const fine = new Date(0);
			clock.setTimeout(1);
			const text = "Date.now()"; // setInterval(1)`,
		);
		expect(findGlobalViolations(roomTable, [planted]).map((line) => line.split(" (")[0])).toEqual([
			"src/agent/planted.ts uses setTimeout",
			"src/agent/planted.ts uses setInterval",
			"src/agent/planted.ts uses Date.now",
			"src/agent/planted.ts uses new Date()",
			"src/agent/planted.ts uses node:timers/promises",
			"src/agent/planted.ts uses process.env",
		]);
	});

	test("reports a cycle of imports once, with its way round", () => {
		const planted = [
			factsOf("src/lib/a.ts", 'import "./b.ts";'),
			factsOf("src/lib/b.ts", 'import type { C } from "./c.ts";'),
			factsOf("src/lib/c.ts", 'import { a } from "./a.ts";'),
		];
		expect(findImportCycles(planted)).toEqual(["src/lib/a.ts -> src/lib/b.ts -> src/lib/c.ts -> src/lib/a.ts"]);
	});

	test("reports a room that reaches itself", () => {
		const rooms = [
			{ name: "a", path: "src/a/", mayImport: ["b/file.ts"] },
			{ name: "b", path: "src/b/", mayImport: [], mayImportTypes: ["a"] },
		];
		expect(findRoomCycles({ rooms, owners: [], globals: [] })).toEqual(["a", "b"]);
	});
});
