// Adds up vitest's JSON reports and prints `N passed, N failed` alone on a line.
//   node scripts/closing-line.mjs REPORT.json...
// A report that is missing or unreadable counts as a failure: a run that died must not look clean.

import { readFileSync } from "node:fs";

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
	try {
		const report = JSON.parse(readFileSync(file, "utf8"));
		passed += report.numPassedTests;
		// A file that fails to load has failed without failing a test.
		const brokenFiles = report.testResults.filter(
			({ status, assertionResults }) =>
				status === "failed" && !assertionResults.some((test) => test.status === "failed"),
		);
		failed += report.numFailedTests + brokenFiles.length;
		if (!report.success && report.numFailedTests + brokenFiles.length === 0) failed += 1;
	} catch (error) {
		console.error(`${file}: no test report (${error.code ?? error.message})`);
		failed += 1;
	}
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
