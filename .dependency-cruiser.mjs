// Turns the table of test/architecture/rooms.json into rules. The table is the source; change it there.

import { readFileSync } from "node:fs";

const table = JSON.parse(readFileSync(new URL("./test/architecture/rooms.json", import.meta.url), "utf8"));

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const startsWith = (path) => `^${literal(path)}`;
const everywhere = ["errors", "lib"];

/** Path pattern of a table entry: a room's name, or one file of a room as `room/file.ts`. */
function patternOf(entry) {
	const room = table.rooms.find(({ name }) => name === entry);
	return startsWith(room ? room.path : `src/${entry}`);
}

const roomRules = table.rooms.map(({ name, path, mayImport, mayImportTypes = [] }) => ({
	name: `room-${name}`,
	comment: `${path} may import ${[...everywhere, ...mayImport].join(", ")}; the table is test/architecture/rooms.json`,
	severity: "error",
	from: { path: startsWith(path) },
	to: {
		path: "^(src|workers)/",
		pathNot: [startsWith(path), ...[...everywhere, ...mayImport, ...mayImportTypes].map(patternOf)],
	},
}));

const typeRules = table.rooms
	.filter(({ mayImportTypes = [] }) => mayImportTypes.length > 0)
	.map(({ name, path, mayImportTypes }) => ({
		name: `room-${name}-types`,
		comment: `${path} may only 'import type' from ${mayImportTypes.join(", ")}`,
		severity: "error",
		from: { path: startsWith(path) },
		to: { path: mayImportTypes.map(patternOf), dependencyTypesNot: ["type-only"] },
	}));

const ownerRules = table.owners.map(({ packages, onlyIn, why }) => ({
	name: `owner-of-${packages[0].replace(/^node:|[@/]/g, "")}`,
	comment: `${packages.join(", ")} only in ${onlyIn.join(", ")}: ${why}`,
	severity: "error",
	from: { path: "^(src|workers)/", pathNot: onlyIn.map(startsWith) },
	to: {
		path: packages.flatMap((name) => [
			`^${literal(name.replace(/^node:/, ""))}$`,
			`(^|/)node_modules/${literal(name)}/`,
		]),
		dependencyTypesNot: ["type-only"],
	},
}));

export default {
	forbidden: [
		...roomRules,
		...typeRules,
		...ownerRules,
		{
			name: "no-cycles",
			comment: "Two files that need each other are one file, or hide a third",
			severity: "error",
			from: { path: "^(src|workers)/" },
			to: { circular: true },
		},
		{
			name: "every-room-is-in-the-table",
			comment: "A new folder in src needs a row in test/architecture/rooms.json",
			severity: "error",
			from: { path: "^src/", pathNot: table.rooms.map(({ path }) => startsWith(path)) },
			to: {},
		},
		{
			name: "resolvable",
			comment: "The imported file or package does not exist",
			severity: "error",
			from: { path: "^(src|workers)/" },
			to: { couldNotResolve: true },
		},
		{
			name: "declared",
			comment: "Shipped code may import only what 'dependencies' lists",
			severity: "error",
			from: { path: "^(src|workers)/" },
			to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
		},
	],
	options: {
		doNotFollow: { path: "node_modules" },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.json" },
		enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
	},
};
