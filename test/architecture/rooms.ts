// The table of rooms (rooms.json), typed. Also what an import or a global means against it: pure, so that the
// tests can prove on made-up files that a violation is found.

import { readFileSync } from "node:fs";
import type { FileFacts } from "./file-facts.ts";

export interface Room {
	readonly name: string;
	readonly path: string;
	readonly mayImport: readonly string[];
	readonly mayImportTypes?: readonly string[];
}

interface Owner {
	readonly packages: readonly string[];
	readonly onlyIn: readonly string[];
	readonly why: string;
}

interface GlobalRule {
	readonly names: readonly string[];
	readonly modules: readonly string[];
	readonly onlyIn: readonly string[];
	readonly why: string;
}

export interface RoomTable {
	readonly rooms: readonly Room[];
	readonly owners: readonly Owner[];
	readonly globals: readonly GlobalRule[];
}

export const roomTable: RoomTable = JSON.parse(readFileSync(new URL("./rooms.json", import.meta.url), "utf8"));

const EVERYWHERE = ["errors", "lib"];

export function roomOf(table: RoomTable, path: string): Room | undefined {
	return table.rooms.find((room) => path.startsWith(room.path));
}

/** Imports that the table does not allow, one line each. */
export function findRoomViolations(table: RoomTable, files: readonly FileFacts[]): string[] {
	return files.flatMap((file) => {
		const room = roomOf(table, file.path);
		if (!room) return [`${file.path}: no room in rooms.json`];
		const covers = (entry: string, target: string) => {
			const other = table.rooms.find(({ name }) => name === entry);
			return other ? target.startsWith(other.path) : target === `src/${entry}`;
		};
		return file.imports
			.filter(({ target }) => /^(src|workers)\//.test(target) && !target.startsWith(room.path))
			.filter(({ target, typeOnly }) => {
				const allowed = [...EVERYWHERE, ...room.mayImport, ...(typeOnly ? (room.mayImportTypes ?? []) : [])];
				return !allowed.some((entry) => covers(entry, target));
			})
			.map(({ target }) => `${file.path} imports ${target}`);
	});
}

/** Packages imported by value outside the one place that owns them. */
export function findOwnerViolations(table: RoomTable, files: readonly FileFacts[]): string[] {
	return files.flatMap((file) =>
		table.owners
			.filter(({ onlyIn }) => !onlyIn.some((place) => file.path.startsWith(place)))
			.flatMap(({ packages, why }) =>
				file.imports
					.filter(({ typeOnly }) => !typeOnly)
					.filter(({ target }) => packages.some((name) => target === name || target.startsWith(`${name}/`)))
					.map(({ target }) => `${file.path} imports ${target} (${why})`),
			),
	);
}

/** Clocks, timers and environment used outside the one place that owns them. */
export function findGlobalViolations(table: RoomTable, files: readonly FileFacts[]): string[] {
	return files.flatMap((file) =>
		table.globals
			.filter(({ onlyIn }) => !onlyIn.some((place) => file.path.startsWith(place)))
			.flatMap(({ names, modules, why }) =>
				[
					...file.globals.filter((name) => names.includes(name)),
					...file.imports
						.filter((found) => !found.typeOnly && modules.includes(found.target))
						.map(({ target }) => target),
				].map((name) => `${file.path} uses ${name} (${why})`),
			),
	);
}

/** Rooms that reach themselves through the table: it must be a layering. */
export function findRoomCycles(table: RoomTable): string[] {
	const next = (name: string) => {
		const room = table.rooms.find((candidate) => candidate.name === name);
		return [...(room?.mayImport ?? []), ...(room?.mayImportTypes ?? [])].map((entry) => entry.split("/")[0] ?? entry);
	};
	const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
		next(from).some((name) => {
			if (name === goal) return true;
			if (seen.has(name)) return false;
			seen.add(name);
			return reaches(name, goal, seen);
		});
	return table.rooms.map(({ name }) => name).filter((name) => reaches(name, name));
}

/** Files that reach themselves through imports, as `a -> b -> a`; type imports count. */
export function findImportCycles(files: readonly FileFacts[]): string[] {
	const graph = new Map(files.map((file) => [file.path, file.imports.map(({ target }) => target)]));
	const done = new Set<string>();
	const cycles: string[] = [];
	const visit = (path: string, trail: readonly string[]): void => {
		const start = trail.indexOf(path);
		if (start >= 0) {
			cycles.push([...trail.slice(start), path].join(" -> "));
			return;
		}
		if (done.has(path)) return;
		for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
		done.add(path);
	};
	for (const path of graph.keys()) visit(path, []);
	return cycles;
}
