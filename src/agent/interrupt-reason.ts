// Why a prompt's signal aborts. A person who interrupts keeps the agent and its conversation;
// everything else stops the run for good.

const NAME = "InterruptReason";

/** Abort with this to end only the current prompt: `controller.abort(new InterruptReason("Ctrl-C"))`. */
export class InterruptReason extends Error {
	override readonly name = NAME;
}

/** Tells an InterruptReason, also one built by another copy of this module. */
export function isInterruptReason(reason: unknown): boolean {
	return typeof reason === "object" && reason !== null && "name" in reason && reason.name === NAME;
}
