// Which layout the tables on disk have, and how an older one becomes the present one.

import { ClowderError } from "../errors.ts";
import type { Key, Root } from "./lmdb-env.ts";

/** The layout this version writes. Raise it together with a new entry in MIGRATIONS. */
export const FORMAT_VERSION = 1;

/** A table as a migration sees it: JSON texts by key. */
export interface RawTable {
	entries(): Iterable<{ readonly key: Key; readonly value: string }>;
	put(key: Key, value: string): void;
	remove(key: Key): void;
}

/** One step: from the layout `to - 1` to the layout `to`. */
export interface Migration {
	readonly to: number;
	/** Tables it works on. */
	readonly tables: readonly string[];
	migrate(table: (name: string) => RawTable): void;
}

export const MIGRATIONS: readonly Migration[] = [];

const VERSION_KEY = "format-version";
const metaTable = (root: Root) => root.openDB<string, Key>({ name: "meta", encoding: "string" });

/** Marks a new environment with the present layout. */
export function stampVersion(root: Root): void {
	metaTable(root).putSync(VERSION_KEY, String(FORMAT_VERSION));
}

/**
 * Brings older tables to the layout `target`, in one transaction: all steps, or nothing.
 *
 * @throws ClowderError ERR_STATE_VERSION for tables of a newer layout, ERR_STATE_CORRUPT without a version.
 */
export function bringUpToDate(
	root: Root,
	path: string,
	target: number = FORMAT_VERSION,
	migrations: readonly Migration[] = MIGRATIONS,
): void {
	const meta = metaTable(root);
	if (readVersion(meta.get(VERSION_KEY), path, target) === target) return;
	const tables = openTables(root, migrations);
	root.transactionSync(() => {
		// Race: another process may have migrated since.
		const version = readVersion(meta.get(VERSION_KEY), path, target);
		for (const step of migrations) {
			if (step.to > version && step.to <= target) step.migrate((name) => findTable(tables, name));
		}
		meta.putSync(VERSION_KEY, String(target));
	});
}

function readVersion(stored: string | undefined, path: string, target: number): number {
	const version = Number(stored);
	if (!Number.isInteger(version) || version < 1) {
		throw new ClowderError("ERR_STATE_CORRUPT", `The state in ${path} has no format version`, {
			remedy: "Nothing was changed. Restore the folder from a backup, or move it away to begin anew",
			details: { path },
		});
	}
	if (version > target) {
		throw new ClowderError("ERR_STATE_VERSION", `The state in ${path} has format ${version}, newer than ${target}`, {
			remedy: "Use the newer version that wrote it, or name another state folder",
			details: { path, version, supported: target },
		});
	}
	return version;
}

function openTables(root: Root, migrations: readonly Migration[]): Map<string, RawTable> {
	const names = new Set(migrations.flatMap((step) => step.tables));
	return new Map(
		[...names].map((name) => {
			const db = root.openDB<string, Key>({ name, encoding: "string" });
			return [
				name,
				{
					entries: () => [...db.getRange({})],
					put: (key, value) => db.putSync(key, value),
					remove: (key) => void db.removeSync(key),
				},
			];
		}),
	);
}

function findTable(tables: ReadonlyMap<string, RawTable>, name: string): RawTable {
	const table = tables.get(name);
	if (!table) throw new ClowderError("ERR_BAD_INPUT", `The migration does not name the table '${name}'`);
	return table;
}
