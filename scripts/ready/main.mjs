// The steps of ready.mjs: install, build, hand over. Imports the slow parts only when there is work to do.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isBuildFresh } from "./build-stamp.mjs";
import { isInstallFresh } from "./install-stamp.mjs";
import { dropForwardedInterrupts } from "./npm-signals.mjs";
import { failWith, root } from "./report.mjs";

/** Makes the checkout ready; with `types` dist holds type declarations as well. */
export async function makeReady({ types = false, force = false } = {}) {
	if (!force && isInstallFresh() && isBuildFresh({ types })) return;
	const { withLock } = await import("./lock.mjs");
	await withLock(async () => {
		// Order: asked again under the lock, because the process that held it may have done the work.
		if (!isInstallFresh()) await (await import("./install.mjs")).installPackages();
		if (force || !isBuildFresh({ types })) await (await import("./build.mjs")).buildDist({ types });
	});
}

/** Runs `ready.mjs` with its own arguments. */
export async function runReady(argv) {
	const types = argv[0] === "--types";
	const [target, ...args] = types ? argv.slice(1) : argv;
	try {
		await makeReady({ types });
		if (target === undefined) return;
		const file = resolve(root, target);
		if (!existsSync(file)) throw new Error(`${target} does not exist in this checkout`);
		process.argv = [process.argv[0], file, ...args];
	} catch (error) {
		failWith(error);
		return;
	}
	dropForwardedInterrupts();
	// Outside the guard: what the module throws is its own, with its own stack.
	await import(pathToFileURL(resolve(root, target)).href);
}
