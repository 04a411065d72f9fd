import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed with all temporary files of this run of the tests. */
export function makeTempDir(): string {
	return mkdtempSync(join(tmpdir(), "clowder-"));
}
