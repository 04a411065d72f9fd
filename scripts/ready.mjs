// Makes a checkout ready (packages installed, dist built), then runs a module in this same process:
//   node scripts/ready.mjs [--types] [MODULE ARGS...]
// Plain Node without dependencies, so that `npm start` and `npm test` work as the first command in a fresh clone.
// Same process on purpose: exit codes and signals are the module's own, and nothing can be orphaned.
// Order: the Node version is checked before anything newer than Node 12 is parsed or imported.

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	process.stderr.write(
		`clowder: Node ${process.versions.node} is too old. Install Node 20.19 or later: https://nodejs.org\n`,
	);
	process.exit(1);
}

void import("./ready/main.mjs").then((main) => main.runReady(process.argv.slice(2)));
