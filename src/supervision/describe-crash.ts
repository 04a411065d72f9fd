// What a thread died of, in a line: the error's class, its message, and where it was thrown. Of the stack no more than
// the one frame that is not Node's own.

import { fileURLToPath } from "node:url";

const FRAME = /^\s*at (?:.*\()?((?:file:\/\/)?\/.+?|[A-Za-z]:\\.+?):(\d+):\d+\)?$/;
const MOST_LINES = 200;

export function describeCrash(error: Error): string {
	const stack = String(error.stack ?? "");
	const place = placeIn(stack);
	return `${classOf(error, stack)}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}

// On its way out of the thread an error keeps its stack; of a class of its own only the name in it is left.
function classOf({ name }: Error, stack: string): string {
	return /^([A-Za-z_$][\w$]{0,99})(?: \[\w+\])?(?::|\n|$)/.exec(stack)?.[1] ?? name;
}

function placeIn(stack: string): string | undefined {
	for (const line of stack.split("\n", MOST_LINES)) {
		const [, file, row] = FRAME.exec(line) ?? [];
		if (file === undefined || file.length > 1_000) continue;
		return `${toPath(file)}:${row}`;
	}
	return undefined;
}

function toPath(file: string): string {
	try {
		return file.startsWith("file:") ? fileURLToPath(file.replace(/[?#].*$/, "")) : file;
	} catch {
		return file;
	}
}
