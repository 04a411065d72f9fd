// Knows whether node_modules is what package-lock.json says. The stamp is inside node_modules and goes with it.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./report.mjs";

const stampFile = join(root, "node_modules/.clowder-install");

/** True when the packages of the present lock file are installed. */
export function isInstallFresh() {
	const wanted = wantedStamp();
	if (readOptional(stampFile) === wanted) return true;
	// Installed by hand (npm ci, npm install): npm's own record tells.
	if (!isRecordComplete()) return false;
	writeFileSync(stampFile, wanted);
	return true;
}

export function writeInstallStamp() {
	writeFileSync(stampFile, wantedStamp());
}

function wantedStamp() {
	const lock = readFileSync(join(root, "package-lock.json"));
	return `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`;
}

// npm writes node_modules/.package-lock.json at the end of an install: what is really there.
function isRecordComplete() {
	const record = readOptional(join(root, "node_modules/.package-lock.json"));
	if (record === undefined) return false;
	const installed = JSON.parse(record).packages;
	const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
	const isThere = (path) => installed[path]?.version === locked[path].version;
	return Object.keys(locked).every((path) => path === "" || isOptional(locked[path]) || isThere(path));
}

function isOptional(entry) {
	return entry.optional === true || entry.devOptional === true || entry.peer === true;
}

function readOptional(file) {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
