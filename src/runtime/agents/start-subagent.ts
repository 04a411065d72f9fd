// How a program starts a subagent: what it asks for is checked here, the run itself is the supervisor's.

import { ClowderError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { DEFAULT_AGENT_TYPE } from "../../subagents/agent-types.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { createRunHandle, type Run, type RunResult, toRunResult } from "../../supervision/run.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { RunRecord, UsageTotals } from "../../wire/run.ts";
import { checkCall } from "../options/call-inputs.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { outputSchemaJson, parseOutput } from "../options/output-schema.ts";
import type { PriceCheck } from "../options/price-caps.ts";
import type { SpawnOptions } from "../options/spawn-options.ts";
import { chooseModel } from "./compose.ts";
import { parseIsolation } from "./isolation.ts";
import type { Profiles } from "./profiles.ts";
import type { RunNotes } from "./run-notes.ts";

export interface SpawnParts {
	readonly supervisor: RunSupervisor;
	readonly notes: RunNotes;
	readonly profiles: Profiles;
	readonly options: ResolvedOptions;
	readonly defaultModel: string;
	readonly checkPrice: PriceCheck;
	/** What runs used together with all below them. */
	treeUsage(runIds: readonly string[]): UsageTotals;
}

export function createSpawn({
	supervisor,
	notes,
	profiles,
	options,
	treeUsage,
	...prices
}: SpawnParts): (wanted: SpawnOptions) => Run {
	return (wanted) => {
		checkCall("spawn", wanted);
		const definition = profiles.definition(wanted.agentType ?? DEFAULT_AGENT_TYPE);
		const parent = findParent(supervisor, wanted.parent);
		const depth = parent ? parent.spec.depth + 1 : 1;
		// A type whose tools do not exist is the caller's mistake: refuse it here, not in the run.
		profiles.get({ definition, role: "subagent", mayDelegate: depth < options.maxDepth });
		const schemaJson = wanted.outputSchema === undefined ? undefined : outputSchemaJson(wanted.outputSchema);
		const isolation = parseIsolation(wanted.isolation ?? definition.isolation);
		const limits = { ...options.limits, ...definition.limits, ...wanted.limits };
		const { name: agentType } = definition;
		prices.checkPrice(chooseModel({ ...prices, profiles, notes }, { agentType, parent, wanted: wanted.model }), limits);
		const id = newId("task");
		notes.note(id, {
			...(wanted.model === undefined ? {} : { model: wanted.model }),
			...(schemaJson === undefined ? {} : { outputSchemaJson: schemaJson }),
			...(isolation === undefined ? {} : { isolation }),
		});
		const live = supervisor.accept({
			id,
			kind: "subagent",
			name: wanted.description,
			description: wanted.description,
			prompt: wanted.prompt,
			agentType,
			depth,
			background: false,
			limits,
			...(parent === undefined ? {} : { parentId: parent.spec.id }),
			...(wanted.signal === undefined ? {} : { signal: wanted.signal }),
		});
		const toResult = (record: RunRecord): RunResult => {
			const result = toRunResult(record);
			return schemaJson === undefined || record.status !== "COMPLETED"
				? result
				: { ...result, output: parseOutput(result.finalText) };
		};
		const cancel: Run["cancel"] = (why = "cancelled") => supervisor.cancel(id, { reason: "cancelled", why });
		return createRunHandle(live, { cancel, toResult, treeUsage: () => treeUsage([id]) });
	};
}

function findParent(supervisor: RunSupervisor, parent: Run | string | undefined): LiveRun | undefined {
	if (parent === undefined) return undefined;
	const id = typeof parent === "string" ? parent : parent.id;
	const live = supervisor.get(id);
	if (live) return live;
	throw new ClowderError("ERR_UNKNOWN_RUN", `The parent run ${id} is not running`, {
		remedy: "Start children while their parent runs, or without a parent",
	});
}
