// Whether a member may change anything yet: not between the moment that a plan is asked for and the approval of the
// plan it handed in last. Main thread; one gate per member. Which answer counts at all is the protocol book's to say.

export type PlanGateState =
	/** No plan is asked for. */
	| { readonly kind: "open" }
	| { readonly kind: "needs-plan" }
	| { readonly kind: "submitted"; readonly requestId: string }
	/** `requestId`: the request that was approved. */
	| { readonly kind: "approved"; readonly requestId: string };

/** What an event did. */
export interface PlanGateStep {
	/** False: the event did not fit the state, or asked for what is so already. */
	readonly changed: boolean;
	readonly state: PlanGateState;
	/** The request of a plan that nobody needs to decide on any more: void it in the book. */
	readonly voided?: string;
}

const NEEDS_PLAN: PlanGateState = { kind: "needs-plan" };

export class PlanGate {
	#state: PlanGateState;

	/** @param state where the gate of an earlier life stood. @default open */
	constructor(state: PlanGateState = { kind: "open" }) {
		this.#state = state;
	}

	get state(): PlanGateState {
		return this.#state;
	}

	get mayChange(): boolean {
		return this.#state.kind === "open" || this.#state.kind === "approved";
	}

	/** The lead asks for a plan: nothing that was approved or handed in before counts. */
	require(): PlanGateStep {
		return this.#moveTo(NEEDS_PLAN);
	}

	/** A plan is handed in, or a better one. Nobody waits for one while the gate is open: it stays open. */
	submit(requestId: string): PlanGateStep {
		if (this.#state.kind === "open") return this.#stay();
		// Also after an approval: what was approved is not what the member wants to do now.
		return this.#moveTo({ kind: "submitted", requestId });
	}

	/** The plan handed in last is decided on; a decision on any other changes nothing. */
	decide(requestId: string, approve: boolean): PlanGateStep {
		if (this.#state.kind !== "submitted" || this.#state.requestId !== requestId) return this.#stay();
		this.#state = approve ? { kind: "approved", requestId } : NEEDS_PLAN;
		return { changed: true, state: this.#state };
	}

	/** A new task: an approval was for the old one. */
	newTask(): PlanGateStep {
		return this.#state.kind === "open" ? this.#stay() : this.#moveTo(NEEDS_PLAN);
	}

	#stay(): PlanGateStep {
		return { changed: false, state: this.#state };
	}

	#moveTo(state: PlanGateState): PlanGateStep {
		const before = this.#state;
		if (isSame(before, state)) return this.#stay();
		this.#state = state;
		const step = { changed: true, state };
		return before.kind === "submitted" ? { ...step, voided: before.requestId } : step;
	}
}

function isSame(one: PlanGateState, other: PlanGateState): boolean {
	if (one.kind === "submitted" && other.kind === "submitted") return one.requestId === other.requestId;
	return one.kind === other.kind;
}
