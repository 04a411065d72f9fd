// One agent inside its thread, from start to release: builds everything it owns afresh (registry, history, todo
// list, hooks, control port), answers main's commands, and hands the thread back with nothing of it left.

import { InterruptReason } from "../../agent/interrupt-reason.ts";
import { runPrompt } from "../../agent/run-prompt.ts";
import { systemClock } from "../../lib/clock.ts";
import { createDeferred } from "../../lib/deferred.ts";
import { BoardRow } from "../../supervision/board-row.ts";
import type { AgentStart } from "../../thread/agent-thread-api.ts";
import { captureOutput } from "../../thread/capture-output.ts";
import { createControlLink } from "../../thread/control-link.ts";
import { startHeartbeat } from "../../thread/heartbeat.ts";
import type { ModelLink } from "../../thread/model-link.ts";
import { giveWay, ownThreadId } from "../../thread/own-thread.ts";
import type { AgentCommand, HostCall } from "../../wire/control.ts";
import { fromErrorData } from "../../wire/error-data.ts";
import { createAgentLog } from "./agent-log.ts";
import { buildAgentDeps } from "./build-deps.ts";
import { compactAsAsked } from "./compact-as-asked.ts";
import { createInbox } from "./inbox.ts";
import { runHostCall } from "./run-host-call.ts";

type StartPrompt = Extract<AgentCommand, { type: "start-prompt" }>;

/**
 * Runs one agent, which makes its model calls over the thread's `model` link. Resolves once main has released it;
 * rejects when it cannot be built or its loop breaks.
 */
export async function runAgentInThread({ init, controlPort }: AgentStart, model: ModelLink): Promise<void> {
	giveWay();
	const control = createControlLink(controlPort);
	const row = new BoardRow(init.board.buffer);
	const stopHeartbeat = startHeartbeat(row, systemClock, {
		intervalMs: init.heartbeatMs,
		countsShared: init.toolModules.length > 0,
	});
	const log = createAgentLog(systemClock, (line) => control.post({ type: "agent-event", event: line }));
	const restoreOutput = captureOutput(log);
	const inbox = createInbox();
	const voice = { speaks: init.sendsEvents };
	const released = createDeferred();
	const hostCalls = new Map<number, AbortController>();
	let prompt: AbortController | undefined;
	let working: Promise<void> = Promise.resolve();

	row.started(ownThreadId);
	control.post({ type: "agent-ready", threadId: ownThreadId });
	model.attach(() => control.post({ type: "need-model-port" }));
	const building = buildAgentDeps({
		init,
		control,
		callModel: model.callModel,
		row,
		inbox,
		voice,
		log,
		clock: systemClock,
	});

	// Order: before anything that waits for the agent goes on.
	void building.then(
		() => row.phase("idle"),
		() => {},
	);

	async function work({ promptId, text, compactFocus, useModel }: StartPrompt): Promise<void> {
		// Order: the controller is there before anything is awaited, so that a stop that comes early is not lost.
		const current = new AbortController();
		prompt = current;
		const deps = await building;
		if (released.settled) return;
		if (useModel) deps.useModel(useModel);
		row.phase("model");
		const outcome =
			compactFocus === undefined
				? await runPrompt(deps, text, current.signal)
				: await compactAsAsked(deps, compactFocus, current.signal);
		prompt = undefined;
		row.phase("idle");
		control.post({ type: "prompt-finished", promptId, outcome });
	}

	async function runTool(call: HostCall): Promise<void> {
		const controller = new AbortController();
		hostCalls.set(call.callId, controller);
		const { content, isError } = await runHostCall(await building, call, controller.signal);
		hostCalls.delete(call.callId);
		control.post({ type: "tool-ran", callId: call.callId, content, isError });
	}

	control.onCommand((command: AgentCommand) => {
		switch (command.type) {
			case "start-prompt":
				working = work(command).catch(released.reject);
				return;
			case "interrupt-prompt":
				prompt?.abort(new InterruptReason(command.reason));
				return;
			case "cancel-run":
				prompt?.abort(new Error(command.reason));
				return;
			case "run-tool":
				runTool(command.call).catch(released.reject);
				return;
			case "cancel-tool":
				hostCalls.get(command.callId)?.abort();
				return;
			case "use-model-port":
				model.usePort(command.port);
				return;
			case "no-model-port":
				model.refuse(fromErrorData(command.error));
				return;
			case "send-events":
				voice.speaks = true;
				return;
			case "deliver-envelopes":
				inbox.deliver(command.envelopes);
				return;
			case "release-thread":
				prompt?.abort(new Error("its run is over"));
				released.resolve();
				return;
			case "settle-request":
			case "fail-request":
			// Answers go to whoever asked, inside the control link.
		}
	});

	try {
		await Promise.race([released.promise, building.then(() => released.promise)]);
		// Order: a run may be over before its agent is built; what loads then, or has just begun, is still this agent's.
		await building;
		await working;
	} finally {
		stopHeartbeat();
		restoreOutput();
		model.detach();
		await control.close();
	}
}
