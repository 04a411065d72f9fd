import { ClowderError } from "../errors.ts";

/** What every part of a cancelled call ends with. */
export function cancelledError(): ClowderError {
	return new ClowderError("ERR_ABORTED", "The model call was cancelled");
}
