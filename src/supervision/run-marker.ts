// The mark in the environment of every child process: how a stray is found that no ledger entry names.

const MARKER = "CLOWDER_RUN_ID";

export function runMarker(runId: string): Record<string, string> {
	return { [MARKER]: runId };
}

/** Whether a NUL-separated environment block, as in /proc/PID/environ, carries a run's mark. */
export function carriesMark(environ: string, runId: string): boolean {
	return environ.split("\0").includes(`${MARKER}=${runId}`);
}
