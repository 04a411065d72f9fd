// The calls that a prompt makes before any agent sees it: a command whose output belongs in it, a file that it names.
// Main decides whether they may, under the permissions of the agent that is talked with; they run in its thread.

import type { MentionedFile } from "../../config/mentions.ts";
import { newId } from "../../lib/ids.ts";
import type { Rule } from "../../permissions/rules/rule.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { HostCall } from "../../wire/control.ts";
import type { AgentProfile } from "../agents/profiles.ts";
import type { Permissions } from "../permissions/permissions.ts";

export interface TypedCalls {
	/** @param rules allow rules of the command's file. @throws ERR_ABORTED, ERR_CLOSED */
	runCommand(run: LiveRun, command: string, rules: readonly Rule[], signal: AbortSignal): Promise<Ran | Denied>;
	/** @throws ERR_ABORTED, ERR_CLOSED */
	readFile(
		run: LiveRun,
		file: MentionedFile,
		signal: AbortSignal,
	): Promise<{ readonly kind: "read"; readonly content: string } | Denied>;
}

interface Ran {
	readonly kind: "ran";
	readonly output: string;
	/** It took longer than a command may: what bash says of it. */
	readonly timedOut?: string;
}

interface Denied {
	readonly kind: "denied";
	readonly message: string;
}

export interface TypedCallsParts {
	readonly permissions: Pick<Permissions, "authorizeTyped">;
	profileOf(run: LiveRun): AgentProfile;
}

export function createTypedCalls({ permissions, profileOf }: TypedCallsParts): TypedCalls {
	async function call(
		run: LiveRun,
		wanted: Pick<HostCall, "toolName" | "input">,
		rules: readonly Rule[],
		signal: AbortSignal,
	) {
		const toolUseId = newId("typed");
		const asked = { toolUseId, ...wanted, toolReadOnly: wanted.toolName === "read_file", alsoAllow: rules };
		const answer = await permissions.authorizeTyped(run, profileOf(run), asked, signal);
		if (answer.decision === "deny") return { content: answer.message, isError: true, isDenied: true };
		return { ...(await run.hostCalls.run({ toolUseId, ...wanted }, signal)), isDenied: false };
	}

	return {
		runCommand: async (run, command, rules, signal) => {
			if (!profileOf(run).toolNames.includes("bash")) {
				return { kind: "denied", message: `the agent type ${run.spec.agentType} has no bash` };
			}
			const ran = await call(run, { toolName: "bash", input: { command } }, rules, signal);
			if (ran.isDenied) return { kind: "denied", message: ran.content };
			const [timedOut] = (ran.isError && /(?<=^Error: )Timeout \(.*?\)/.exec(ran.content)) || [];
			return { kind: "ran", output: ran.content, ...(timedOut === undefined ? {} : { timedOut }) };
		},
		readFile: async (run, { path, lines }, signal) => {
			const { content, isError } = await call(run, { toolName: "read_file", input: { path, ...lines } }, [], signal);
			return isError ? { kind: "denied", message: content.replace(/^Error: /, "") } : { kind: "read", content };
		},
	};
}
