import fc from "fast-check";
import { expect, test } from "vitest";
import { createProtocolBook, type ProtocolRequest } from "../../../src/teams/protocols/protocol-book.ts";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";

function setUp() {
	const clock = createFakeClock(1_000);
	const book = createProtocolBook(clock);
	const askPlan = (sender = "ann", body = "1. Read\n2. Write") =>
		book.open({ type: "plan_approval", sender, target: "lead", body });
	return { clock, book, askPlan };
}

test("keeps a request until its target answers", async () => {
	const { clock, book, askPlan } = setUp();
	const request = askPlan();
	expect(request).toEqual({
		requestId: expect.stringMatching(/^plan_approval_[0-9a-f-]{36}$/),
		type: "plan_approval",
		sender: "ann",
		target: "lead",
		status: "pending",
		body: "1. Read\n2. Write",
		createdAt: 1_000,
	});
	expect(book.pending()).toEqual([request]);
	await clock.advance(500);
	const { requestId } = request;
	const decided = { ...request, status: "rejected", decidedAt: 1_500, feedback: "Test first" };
	expect(
		book.reply({ requestId, type: "plan_approval", responder: "lead", approve: false, feedback: "Test first" }),
	).toEqual({ kind: "decided", request: decided });
	expect(book.pending()).toEqual([]);
	expect(book.get(requestId)).toEqual(decided);
	expect(book.list()).toEqual([decided]);
});

test("refuses a reply of the wrong kind or from the wrong member, and says what to do", () => {
	const { book, askPlan } = setUp();
	const request = askPlan();
	const { requestId } = request;
	const reply = { requestId, type: "plan_approval", responder: "lead", approve: true } as const;
	expect(book.reply({ ...reply, type: "shutdown" })).toEqual({
		kind: "refused",
		why: "wrong-type",
		message: `Request '${requestId}' is of the type plan_approval, not shutdown. Answer it as plan_approval`,
	});
	expect(book.reply({ ...reply, responder: "ann" })).toEqual({
		kind: "refused",
		why: "wrong-responder",
		message: `Request '${requestId}' is for 'lead', not for 'ann'. Only 'lead' can answer it`,
	});
	expect(book.list()).toEqual([request]);
});

test("names the requests that a reply to an unknown one could have meant", () => {
	const { book, askPlan } = setUp();
	const reply = { requestId: "plan_7", type: "plan_approval", responder: "lead", approve: true } as const;
	expect(book.reply(reply)).toEqual({
		kind: "refused",
		why: "unknown",
		message: "No request has the id 'plan_7'. No plan_approval waits for your answer",
	});
	const { requestId } = askPlan();
	expect(book.reply(reply)).toMatchObject({
		message: `No request has the id 'plan_7'. These wait for your answer: '${requestId}' (from ann)`,
	});
	expect(book.reply({ ...reply, responder: "bob" })).toMatchObject({
		message: "No request has the id 'plan_7'. No plan_approval waits for your answer",
	});
});

test("takes the first answer only", () => {
	const { book, askPlan } = setUp();
	const { requestId } = askPlan();
	const reply = { requestId, type: "plan_approval", responder: "lead", approve: true } as const;
	expect(book.reply(reply).kind).toBe("decided");
	expect(book.reply({ ...reply, approve: false })).toEqual({
		kind: "refused",
		why: "not-pending",
		message: `Request '${requestId}' is approved already. It is answered once and for all`,
	});
	expect(book.get(requestId)?.status).toBe("approved");
});

test("voids a request that a newer one of the same kind replaces, and no other", () => {
	const { book, askPlan } = setUp();
	const first = askPlan();
	const others = [
		book.open({ type: "shutdown", sender: "ann", target: "lead", body: "done" }),
		book.open({ type: "plan_approval", sender: "bob", target: "lead", body: "mine" }),
	];
	const second = askPlan("ann", "a better plan");
	expect(book.pending()).toEqual([...others, second]);
	expect(
		book.reply({ requestId: first.requestId, type: "plan_approval", responder: "lead", approve: true }),
	).toMatchObject({
		why: "not-pending",
		message: `Request '${first.requestId}' is void already. Wait for a new request`,
	});
});

test("voids what a member that has ended had asked and was asked", () => {
	const { book, askPlan } = setUp();
	const byAnn = askPlan();
	const toAnn = book.open({ type: "shutdown", sender: "lead", target: "ann", body: "we are done" });
	const byBob = askPlan("bob");
	book.voidAllOf("ann");
	expect(book.list().map(({ status }) => status)).toEqual(["void", "void", "pending"]);
	book.void(byBob.requestId);
	book.void(byAnn.requestId);
	book.void("unknown");
	expect(book.pending()).toEqual([]);
	expect(book.get(toAnn.requestId)).toEqual({ ...toAnn, status: "void" });
});

test("forgets the oldest settled requests, and no pending one", () => {
	const { book, askPlan } = setUp();
	const waiting = askPlan("carol");
	const settled: ProtocolRequest[] = [];
	for (let count = 0; count < 502; count++) settled.push(askPlan("ann"));
	book.voidAllOf("ann");
	expect(book.list()).toHaveLength(501);
	expect(book.get(settled[1]?.requestId ?? "")).toBeUndefined();
	expect(book.get(settled[2]?.requestId ?? "")?.status).toBe("void");
	expect(book.pending()).toEqual([waiting]);
});

test("changes nothing by stale, doubled, forged or mistyped replies, in any order of events", () => {
	const name = fc.constantFrom("lead", "ann", "bob");
	const type = fc.constantFrom("shutdown" as const, "plan_approval" as const);
	const index = fc.nat({ max: 12 });
	const event = fc.oneof(
		fc.record({ kind: fc.constant("open" as const), type, sender: name, target: name }),
		fc.record({ kind: fc.constant("reply" as const), index, type, responder: name, approve: fc.boolean() }),
		fc.record({ kind: fc.constant("void" as const), index }),
		fc.record({ kind: fc.constant("end" as const), name }),
	);
	fc.assert(
		fc.property(fc.array(event, { maxLength: 40 }), (events) => {
			const { book } = setUp();
			const model: { -readonly [Field in keyof ProtocolRequest]: ProtocolRequest[Field] }[] = [];
			const voidWhere = (isMeant: (request: ProtocolRequest) => boolean) => {
				for (const one of model) if (one.status === "pending" && isMeant(one)) one.status = "void";
			};
			for (const one of events) {
				if (one.kind === "open") {
					const { type: kind, sender, target } = one;
					voidWhere((other) => other.type === kind && other.sender === sender && other.target === target);
					model.push({ ...book.open({ type: kind, sender, target, body: "why" }) });
				} else if (one.kind === "reply") {
					const meant = model[one.index];
					const { responder, approve } = one;
					const outcome = book.reply({ requestId: meant?.requestId ?? "x", type: one.type, responder, approve });
					const counts = meant?.status === "pending" && meant.type === one.type && meant.target === responder;
					expect(outcome.kind).toBe(counts ? "decided" : "refused");
					if (counts) Object.assign(meant, { status: approve ? "approved" : "rejected", decidedAt: 1_000 });
				} else if (one.kind === "void") {
					const { requestId = "x" } = model[one.index] ?? {};
					book.void(requestId);
					voidWhere((request) => request.requestId === requestId);
				} else {
					book.voidAllOf(one.name);
					voidWhere(({ sender, target }) => sender === one.name || target === one.name);
				}
				expect(book.list()).toEqual(model);
			}
		}),
	);
});
