// One process installs or builds at a time; the others wait and then find the work done.
// The holder touches the lock file while it works. A lock is stale when its process is gone (same machine),
// or when it was not touched for a while by the waiter's own watch, which holds across containers, clock skew and sleep.

import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { ReadyError, root, say } from "./report.mjs";

const TOUCH_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 150;
const lockFile = join(root, ".ready-lock");
const stealFile = join(root, ".ready-lock-steal");

/** Runs `work` while this process alone holds the checkout. */
export async function withLock(work) {
	const token = randomUUID();
	await acquire(token);
	const touch = setInterval(() => touchLock(token), TOUCH_MS);
	const release = () => {
		if (readLock()?.token === token) rmSync(lockFile, { force: true });
	};
	process.on("exit", release);
	try {
		return await work();
	} finally {
		clearInterval(touch);
		process.off("exit", release);
		release();
	}
}

async function acquire(token) {
	let seen = "";
	let unchangedSince = 0;
	let told = false;
	while (!createExclusive(lockFile, JSON.stringify({ token, pid: process.pid, host: hostname() }))) {
		const now = performance.now();
		const state = lockState();
		if (state !== seen) {
			seen = state;
			unchangedSince = now;
		}
		const holder = readLock();
		if (isHolderGone(holder) || now - unchangedSince > STALE_MS) {
			removeStale(seen);
			continue;
		}
		if (!told && holder) {
			say(`waiting for process ${holder.pid}, which installs or builds this checkout ...`);
			told = true;
		}
		await new Promise((wake) => setTimeout(wake, POLL_MS));
	}
}

function createExclusive(file, text) {
	try {
		writeFileSync(file, text, { flag: "wx" });
		return true;
	} catch (error) {
		if (error.code === "EEXIST") return false;
		throw new ReadyError(`cannot write ${file} (${error.code}). Installing and building need a writable checkout.`);
	}
}

// Race: two waiters may find the same stale lock. Only the one with the steal file removes it, and only if it is still the one it judged.
function removeStale(judged) {
	if (!createExclusive(stealFile, "")) {
		if (performance.timeOrigin + performance.now() - modifiedMs(stealFile) > STALE_MS)
			rmSync(stealFile, { force: true });
		return;
	}
	try {
		if (lockState() === judged) rmSync(lockFile, { force: true });
	} finally {
		rmSync(stealFile, { force: true });
	}
}

function isHolderGone(holder) {
	if (!holder || holder.host !== hostname()) return false;
	try {
		process.kill(holder.pid, 0);
		return false;
	} catch (error) {
		return error.code === "ESRCH";
	}
}

function readLock() {
	try {
		return JSON.parse(readFileSync(lockFile, "utf8"));
	} catch {
		return undefined;
	}
}

/** Who holds the lock and when it was last touched. */
function lockState() {
	return `${readLock()?.token ?? ""}@${modifiedMs(lockFile)}`;
}

function touchLock(token) {
	if (readLock()?.token === token) utimesSync(lockFile, new Date(), new Date());
}

function modifiedMs(file) {
	return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
