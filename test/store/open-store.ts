import type { StoreFault } from "../../src/store/faults.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { makeTempDir } from "./temp-dir.ts";

/** A store of its own with a clock that stands still, and the faults it reported. */
export async function openTestStore(stateDir: string = makeTempDir()) {
	const clock = createFakeClock(1_000_000);
	const faults: StoreFault[] = [];
	const store: Store = await openStore({ stateDir, clock, onFault: (fault) => faults.push(fault) });
	return { store, clock, faults, stateDir };
}
