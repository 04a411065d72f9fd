// clowder/testing: the doubles this project tests itself with.

export type { Clock, TimerHandle, TimerOptions } from "../lib/clock.ts";
export type { ScriptCall, ScriptModule } from "../model/script-module.ts";
export type { Message } from "../wire/conversation.ts";
export type { ModelCaller } from "../wire/model-call.ts";
export type { Script, ScriptedConfig, ScriptedReply } from "../wire/model-config.ts";
export {
	type FakeAnthropicOptions,
	type FakeAnthropicServer,
	type FakeHandler,
	type FakeRequest,
	startFakeAnthropicServer,
} from "./fake-anthropic-server.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export type { FakeReply, FakeScript } from "./fake-reply.ts";
export type { MessagesRequestBody, RequestBlock, RequestMessage, RequestTool } from "./messages-request.ts";
export { findRequestFault, type RuleOptions } from "./request-rules.ts";
export {
	callTool,
	callTools,
	failWith,
	type ScriptedAgents,
	type ScriptedModule,
	say,
	scriptedModel,
} from "./scripted-model.ts";
