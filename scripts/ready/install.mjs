// Installs the locked packages with npm ci, quietly; on failure says what to do about it.

import { writeInstallStamp } from "./install-stamp.mjs";
import { ReadyError, timed } from "./report.mjs";
import { runProgram } from "./run-program.mjs";

// Nothing here needs an install script (native parts are prebuilt packages), so none is run.
// dev and optional are named because NODE_ENV=production or a user's omit setting would leave the build without its tools.
const NPM_CI = [
	"ci",
	"--ignore-scripts",
	"--include=dev",
	"--include=optional",
	"--prefer-offline",
	"--no-audit",
	"--no-fund",
	"--no-update-notifier",
	"--no-progress",
	"--loglevel=error",
	"--fetch-retries=1",
	"--fetch-retry-mintimeout=2000",
];

const REMEDIES = [
	[/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/, network],
	[/\bEUSAGE\b/, () => "package.json and package-lock.json do not match. Run npm install and commit the lock file."],
	[/\b(EACCES|EPERM|EROFS)\b/, () => "node_modules cannot be written. Check who owns this folder."],
	[/\bENOSPC\b/, () => "the disk is full."],
	[
		/\bEINTEGRITY\b/,
		() => "a package does not have its recorded checksum. Run npm cache clean --force, then try again.",
	],
	[/\bE(401|403)\b/, () => "the npm registry refuses access. Check npm config get registry and its login."],
];

export async function installPackages() {
	await timed("installing packages (npm ci; once per lock file)", "installed", async () => {
		const [command, prefix] = findNpm();
		const { code, output } = await runProgram(command, [...prefix, ...NPM_CI]);
		if (code === 127) throw new ReadyError("npm was not found. It comes with Node: https://nodejs.org");
		if (code !== 0) throw installError(code, output);
		writeInstallStamp();
	});
}

// The npm that runs us, else the one on the PATH.
function findNpm() {
	const running = process.env.npm_execpath;
	if (running && /npm-cli\.[cm]?js$/.test(running)) return [process.execPath, [running]];
	return [process.platform === "win32" ? "npm.cmd" : "npm", []];
}

function installError(code, output) {
	for (const [pattern, remedy] of REMEDIES) {
		const match = pattern.exec(output);
		if (match) return new ReadyError(`npm ci failed (${match[1] ?? match[0]}): ${remedy()}`);
	}
	return new ReadyError(`npm ci failed with exit code ${code}; its output is above.`, output);
}

function network() {
	return "the npm registry cannot be reached. Check the network and npm config get registry, then try again.";
}
