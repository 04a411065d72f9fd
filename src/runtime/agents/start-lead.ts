// How a program starts a lead: what it asks for is checked here, the conversation itself is lead.ts.

import { ClowderError } from "../../errors.ts";
import { DEFAULT_AGENT_TYPE } from "../../subagents/agent-types.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { ModelConfig } from "../../wire/model-config.ts";
import type { UsageTotals } from "../../wire/run.ts";
import type { HookMoments } from "../hooks/hook-moments.ts";
import { createLeadSession, type LeadSession } from "../hooks/lead-session.ts";
import { checkCall } from "../options/call-inputs.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { outputSchemaJson } from "../options/output-schema.ts";
import type { PriceCheck } from "../options/price-caps.ts";
import { checkModelChoice, contextWindowOf, defaultModelOf, modelId } from "../options/resolve-model.ts";
import type { LeadOptions } from "../options/spawn-options.ts";
import type { Mail } from "../rooms/mail.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { ExpandPrompt } from "../typed/expand-prompt.ts";
import { chooseModel } from "./compose.ts";
import { createLead, type Lead } from "./lead.ts";
import type { Profiles } from "./profiles.ts";
import type { RunNotes } from "./run-notes.ts";

export interface LeadStarterParts {
	readonly supervisor: RunSupervisor;
	readonly profiles: Profiles;
	readonly notes: RunNotes;
	readonly options: ResolvedOptions;
	readonly modelConfig: ModelConfig;
	readonly checkPrice: PriceCheck;
	readonly moments: HookMoments;
	readonly mail: Mail;
	readonly rooms: Rooms;
	/** Those of all leads, for the end of the program. */
	readonly sessions: Set<LeadSession>;
	treeUsage(runIds: readonly string[]): UsageTotals;
	emptyHistory(conversation: string): Promise<void>;
	onPrompt(text: string): void;
	readonly expand: ExpandPrompt;
}

export function createLeadStarter(parts: LeadStarterParts): (wanted?: LeadOptions) => Promise<Lead> {
	const { supervisor, profiles, notes, options, modelConfig, rooms, sessions, treeUsage } = parts;
	return async (wanted = {}) => {
		checkCall("startLead", wanted);
		const name = wanted.name ?? "lead";
		if (supervisor.live().some((run) => run.spec.kind !== "subagent" && run.spec.name === name)) {
			throw new ClowderError("ERR_BAD_INPUT", `There is an agent called '${name}' already`, {
				remedy: "Give it another name",
			});
		}
		const definition = profiles.definition(wanted.agentType ?? DEFAULT_AGENT_TYPE);
		const schemaJson = wanted.outputSchema === undefined ? undefined : outputSchemaJson(wanted.outputSchema);
		const { systemPrompt } = wanted;
		const profile = profiles.get({ definition, role: "lead", mayDelegate: options.maxDepth > 0 });
		const model = wanted.model ?? definition.model ?? defaultModelOf(modelConfig);
		const limits = { ...options.limits, ...definition.limits, ...wanted.limits };
		const defaultModel = defaultModelOf(modelConfig);
		parts.checkPrice(
			chooseModel({ profiles, notes, defaultModel }, { agentType: definition.name, wanted: wanted.model }),
			limits,
		);
		const session = createLeadSession(parts.moments, options.resume === undefined ? "startup" : "resume");
		sessions.add(session);
		return createLead({
			supervisor,
			name,
			agentType: definition.name,
			limits,
			model: modelId(model),
			tools: profile.toolNames,
			session,
			treeUsage,
			switchModel: (id, wantedModel) => {
				const next = checkModelChoice(modelConfig, wantedModel);
				parts.checkPrice(next, limits);
				notes.note(id, { model: next });
				const run = supervisor.get(id);
				run?.update({ model: next });
				if (run) run.nextModel = { model: next, contextWindow: contextWindowOf(next) };
				return next;
			},
			onRun: (id, facts) =>
				notes.note(id, {
					...facts,
					...(systemPrompt === undefined ? {} : { systemPrompt }),
					...(schemaJson === undefined ? {} : { outputSchemaJson: schemaJson }),
				}),
			emptyHistory: () => parts.emptyHistory(name),
			hasMail: parts.mail.waitsFor,
			team: rooms.teamWork,
			onPrompt: parts.onPrompt,
			onWarning: options.onWarning,
			expand: parts.expand,
		});
	};
}
