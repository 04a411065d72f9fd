// Questions between members that only one of them may answer, and only once: to stop, to begin with a plan. Main
// thread. The book decides which reply counts; what an answer sets in motion is the team's business.

import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";

export type ProtocolType = "shutdown" | "plan_approval";

export interface ProtocolRequest {
	readonly requestId: string;
	readonly type: ProtocolType;
	readonly sender: string;
	/** The only one who may answer. */
	readonly target: string;
	/** `void`: nobody needs the answer any more. */
	readonly status: "pending" | "approved" | "rejected" | "void";
	/** The plan, or the why. */
	readonly body: string;
	/** Milliseconds since the Unix epoch, as is the next. */
	readonly createdAt: number;
	readonly decidedAt?: number;
	readonly feedback?: string;
}

export interface ProtocolReply {
	readonly requestId: string;
	readonly type: ProtocolType;
	/** Whose port the reply came over; never a part of the input. */
	readonly responder: string;
	readonly approve: boolean;
	readonly feedback?: string;
}

export type ReplyOutcome =
	| { readonly kind: "decided"; readonly request: ProtocolRequest }
	| {
			readonly kind: "refused";
			readonly why: "unknown" | "wrong-type" | "wrong-responder" | "not-pending";
			/** Names the request and the remedy. */
			readonly message: string;
	  };

export type NewProtocolRequest = Pick<ProtocolRequest, "type" | "sender" | "target" | "body">;

export interface ProtocolBook {
	/** Makes a request; one of the same type from the same sender to the same target that still waits becomes void. */
	open(request: NewProtocolRequest): ProtocolRequest;
	/**
	 * Takes a reply.
	 *
	 * **Contract**: it counts if its id, type and responder are those of a pending request. Any other changes nothing.
	 */
	reply(reply: ProtocolReply): ReplyOutcome;
	/** A member has ended: what it asked and what it was asked is void. */
	voidAllOf(name: string): void;
	/** Nothing happens to a request that is not pending. */
	void(requestId: string): void;
	get(requestId: string): ProtocolRequest | undefined;
	/** In the order they were made, as is the next. */
	pending(): readonly ProtocolRequest[];
	/** All that are remembered: the pending ones, and of the others the `MAX_SETTLED` that were settled last. */
	list(): readonly ProtocolRequest[];
}

/** Requests kept that nobody can answer any more: a late reply is told what became of its request. */
export const MAX_SETTLED = 500;

export function createProtocolBook(clock: Clock): ProtocolBook {
	const requests = new Map<string, ProtocolRequest>();
	/** Ids, in the order they were settled. */
	const settled: string[] = [];

	const list = () => [...requests.values()];
	const pending = () => list().filter(({ status }) => status === "pending");

	// Invariant: a request is settled at most once, so that each id is in `settled` at most once.
	function settle(request: ProtocolRequest, outcome: Partial<ProtocolRequest>): ProtocolRequest {
		const after = Object.freeze({ ...request, ...outcome });
		requests.set(after.requestId, after);
		settled.push(after.requestId);
		for (const forgotten of settled.splice(0, settled.length - MAX_SETTLED)) requests.delete(forgotten);
		return after;
	}

	function voidWhere(isMeant: (request: ProtocolRequest) => boolean): void {
		for (const request of pending()) if (isMeant(request)) settle(request, { status: "void" });
	}

	return {
		open({ type, sender, target, body }) {
			voidWhere((other) => other.type === type && other.sender === sender && other.target === target);
			const facts = { requestId: newId(type), type, sender, target, body, createdAt: clock.now() };
			const request: ProtocolRequest = Object.freeze({ ...facts, status: "pending" });
			requests.set(request.requestId, request);
			return request;
		},
		reply(reply) {
			const request = requests.get(reply.requestId);
			if (!request) return { kind: "refused", why: "unknown", message: describeUnknown(reply, pending()) };
			const refusal = findRefusal(request, reply);
			if (refusal) return { kind: "refused", ...refusal };
			const { approve, feedback } = reply;
			const decision = { status: approve ? "approved" : "rejected", decidedAt: clock.now() } as const;
			return {
				kind: "decided",
				request: settle(request, feedback === undefined ? decision : { ...decision, feedback }),
			};
		},
		voidAllOf: (name) => voidWhere(({ sender, target }) => sender === name || target === name),
		void: (requestId) => voidWhere((request) => request.requestId === requestId),
		get: (requestId) => requests.get(requestId),
		pending,
		list,
	};
}

function findRefusal(request: ProtocolRequest, { type, responder }: ProtocolReply) {
	const { requestId, target, status } = request;
	if (type !== request.type) {
		const message = `Request '${requestId}' is of the type ${request.type}, not ${type}. Answer it as ${request.type}`;
		return { why: "wrong-type", message } as const;
	}
	if (responder !== target) {
		const message = `Request '${requestId}' is for '${target}', not for '${responder}'. Only '${target}' can answer it`;
		return { why: "wrong-responder", message } as const;
	}
	if (status === "pending") return undefined;
	const remedy = status === "void" ? "Wait for a new request" : "It is answered once and for all";
	return { why: "not-pending", message: `Request '${requestId}' is ${status} already. ${remedy}` } as const;
}

/** What the responder could have meant is named: models shorten ids. */
function describeUnknown({ requestId, type, responder }: ProtocolReply, pending: readonly ProtocolRequest[]): string {
	const meant = pending.filter((request) => request.type === type && request.target === responder);
	const ids = meant.map((request) => `'${request.requestId}' (from ${request.sender})`).join(", ");
	const remedy = ids === "" ? `No ${type} waits for your answer` : `These wait for your answer: ${ids}`;
	return `No request has the id '${requestId.slice(0, 80)}'. ${remedy}`;
}
