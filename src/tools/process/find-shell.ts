// The shell that command lines are run in.

import { access, constants } from "node:fs/promises";

const SHELLS = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

export async function findShell(): Promise<string> {
	for (const path of SHELLS) {
		try {
			await access(path, constants.X_OK);
			return path;
		} catch {
			// The next one.
		}
	}
	return "sh";
}
