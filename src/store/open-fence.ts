// Keeps a process from opening the environment while another one commits to it. Upstream: LMDB's opener sets the shared
// number of the last commit back to what it read a moment before (ITS#9496; in lmdb up to 3.5.6). A commit that comes in
// between is overwritten by the next one, although its writer was told that it is durable.
//   a commit   puts up its sign, and goes on unless somebody is opening; takes it down when it is over
//   an opener  puts up its sign, waits until no commit has one, opens, takes it down
// Signs are empty files with the pid in their names; those of the dead count for nothing.

import { closeSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { systemClock, waitFor } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { pidExists } from "./process-identity.ts";

const LOOK_MS = 5;
/** A process may be stopped with its sign up: it must not keep others out for ever. */
const MAX_WAIT_MS = 10_000;

export interface OpenFence {
	/** To be called with the write lock held; false: write nothing, wait until nobody opens, and try again. */
	enter(): boolean;
	/** The commit is over. */
	leave(): void;
	untilNobodyOpens(): Promise<void>;
	/** Opens while nobody commits. */
	open<R>(action: () => R): Promise<R>;
}

type Kind = "opening" | "writing";

export function createOpenFence(folder: string): OpenFence {
	const sign = (kind: Kind) => join(folder, newId(`${kind}-${process.pid}`));
	const own = { opening: sign("opening"), writing: sign("writing") };

	const putUp = (kind: Kind) => closeSync(openSync(own[kind], "w", 0o600));
	const takeDown = (kind: Kind) => remove(own[kind]);

	function isUp(kind: Kind): boolean {
		const names = readdirSync(folder).filter((name) => name.startsWith(`${kind}-`));
		return names.some((name) => {
			if (join(folder, name) === own[kind]) return false;
			const isAlive = pidExists(Number(name.split(/[-_]/)[1]));
			if (!isAlive) remove(join(folder, name));
			return isAlive;
		});
	}

	async function untilDown(kind: Kind): Promise<void> {
		// The real time: other processes are waited for, whatever this one's clock is.
		const giveUpAtMs = systemClock.monotonicMs() + MAX_WAIT_MS;
		while (isUp(kind) && systemClock.monotonicMs() < giveUpAtMs) {
			await waitFor(systemClock, LOOK_MS, undefined, { keepAlive: true });
		}
	}

	return {
		enter() {
			// Order: the sign first, then the look. An opener does the same: one of the two sees the other.
			putUp("writing");
			if (!isUp("opening")) return true;
			takeDown("writing");
			return false;
		},
		leave: () => takeDown("writing"),
		untilNobodyOpens: () => untilDown("opening"),
		async open(action) {
			putUp("opening");
			try {
				await untilDown("writing");
				return action();
			} finally {
				takeDown("opening");
			}
		},
	};
}

function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// It is gone already.
	}
}
