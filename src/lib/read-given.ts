// Values of a program may have getters that throw, or be proxies that do.

import { ClowderError, isClowderError, messageOf } from "../errors.ts";

/** Reads what a program gave. @throws ERR_BAD_INPUT for whatever reading it throws */
export function readGiven<T>(where: string, read: () => T): T {
	try {
		return read();
	} catch (thrown) {
		if (isClowderError(thrown)) throw thrown;
		throw new ClowderError("ERR_BAD_INPUT", `${where}: what it is given cannot be read: ${messageOf(thrown)}`, {
			cause: thrown,
		});
	}
}
