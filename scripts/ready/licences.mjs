// Worker entries and CLI contain other people's code; their licences ask that the texts go with it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./report.mjs";

/** Writes the licences of every package whose code is in `folder`: the workers' beside them, as they are copied alone. */
export function writeLicences(folder) {
	const metaFiles = readdirSync(join(folder, "meta")).map((file) => join(folder, "meta", file));
	const isWorker = (file) => file.endsWith(".worker.json");
	writeTexts(join(folder, "workers"), metaFiles.filter(isWorker));
	writeTexts(
		folder,
		metaFiles.filter((file) => !isWorker(file)),
	);
}

function writeTexts(folder, metaFiles) {
	const texts = [...bundledPackages(metaFiles)].sort().map(licenceOf);
	if (texts.length > 0) writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), texts.join("\n\n"));
}

function bundledPackages(metaFiles) {
	const packages = new Set();
	for (const file of metaFiles) {
		for (const { inputs } of Object.values(JSON.parse(readFileSync(file, "utf8")).outputs)) {
			for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
				const found = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path);
				if (found && bytesInOutput > 0) packages.add(found[0]);
			}
		}
	}
	return packages;
}

function licenceOf(path) {
	const folder = join(root, path);
	const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
	const text = file
		? readFileSync(join(folder, file), "utf8").trim()
		: `(no licence file; its package.json says ${license})`;
	return `==== ${name} ${version} (${license})\n\n${text}`;
}
