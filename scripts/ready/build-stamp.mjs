// Knows whether dist was built from the present sources. The stamp is inside dist and goes with it.
// Names, sizes and times are compared first (a few milliseconds); only when they differ are contents hashed.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./report.mjs";

const FOLDERS = ["src", "workers", "bench"];
const FILES = ["tsup.config.ts", "tsconfig.json", "package.json", "package-lock.json"];
const stampName = ".build-stamp.json";
const stampFile = join(root, "dist", stampName);

/** True when dist matches the sources (and holds declarations, if asked for). */
export function isBuildFresh({ types }) {
	const stamp = readStamp();
	if (!stamp || (types && !stamp.types)) return false;
	if (!stamp.outputs.every((file) => existsSync(join(root, "dist", file)))) return false;
	const files = sourceFiles();
	const look = lookOf(files);
	if (look === stamp.look) return true;
	if (hashOf(files) !== stamp.hash) return false;
	writeFileSync(stampFile, JSON.stringify({ ...stamp, look }));
	return true;
}

/** What the sources are at this moment: taken before a build, so that an edit during it shows afterwards. */
export function snapshotSources() {
	const files = sourceFiles();
	return { look: lookOf(files), hash: hashOf(files) };
}

export function writeBuildStamp(folder, snapshot, { types }) {
	const outputs = readdirSync(folder, { recursive: true }).filter((name) => /\.js$|\.d\.ts$/.test(name));
	writeFileSync(join(folder, stampName), JSON.stringify({ ...snapshot, types, outputs }));
}

function readStamp() {
	try {
		return JSON.parse(readFileSync(stampFile, "utf8"));
	} catch {
		return undefined;
	}
}

function sourceFiles() {
	const found = [...FILES];
	for (const folder of FOLDERS) {
		if (!existsSync(join(root, folder))) continue;
		for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
			if (entry.isFile()) found.push(join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
		}
	}
	return found.sort();
}

function lookOf(files) {
	const hash = createHash("sha256");
	for (const file of files) {
		const { size, mtimeMs } = statSync(join(root, file));
		hash.update(`${file}\0${size}\0${mtimeMs}\n`);
	}
	return hash.digest("hex");
}

function hashOf(files) {
	const hash = createHash("sha256");
	for (const file of files) {
		const text = readFileSync(join(root, file));
		hash.update(`${file}\0${text.length}\n`).update(text);
	}
	return hash.digest("hex");
}
