// The calls that a prompt makes before any agent sees it: a command whose output belongs in it, a file that it names.
// They run on main in the agent's name: under its permissions, in its folder, and their processes end with it.

import type { MentionedFile } from "../config/mentions.ts";
import { ClowderError, messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Rule } from "../permissions/rules/rule.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { ProcessLedger } from "../supervision/process-ledger.ts";
import { signalProcessGroup } from "../supervision/process-ledger.ts";
import { runMarker } from "../supervision/run-marker.ts";
import { BUILTIN_TOOLS } from "../tools/builtin/index.ts";
import { type Tool, type ToolContext, ToolError } from "../tools/definition.ts";
import type { ProcessRegistry } from "../tools/process-registry.ts";
import { createReadTracker } from "../tools/read-tracker.ts";
import { createWorkspace } from "../tools/workspace.ts";
import type { Isolation } from "./isolation.ts";
import type { Permissions } from "./permissions.ts";
import type { AgentProfile } from "./profiles.ts";

export interface TypedCalls {
	/** @param rules allow rules of the command's file. @throws ERR_ABORTED */
	runCommand(
		run: LiveRun,
		command: string,
		rules: readonly Rule[],
		signal: AbortSignal,
	): Promise<{ readonly kind: "ran"; readonly output: string } | Denied>;
	/** @throws ERR_ABORTED */
	readFile(
		run: LiveRun,
		file: MentionedFile,
		signal: AbortSignal,
	): Promise<{ readonly kind: "read"; readonly content: string } | Denied>;
}

interface Denied {
	readonly kind: "denied";
	readonly message: string;
}

export interface TypedCallsParts {
	readonly permissions: Pick<Permissions, "authorizeTyped">;
	readonly isolation: Pick<Isolation, "folderOf" | "envOf">;
	readonly processes: ProcessLedger;
	readonly additionalDirectories: readonly string[];
	readonly outputDir: string;
	readonly clock: Clock;
	profileOf(run: LiveRun): AgentProfile;
}

export function createTypedCalls(parts: TypedCallsParts): TypedCalls {
	const { permissions, isolation } = parts;

	async function call(
		run: LiveRun,
		toolName: "bash" | "read_file",
		input: object,
		rules: readonly Rule[],
		signal: AbortSignal,
	) {
		const toolUseId = newId("typed");
		const asked = { toolUseId, toolName, input, toolReadOnly: toolName === "read_file", alsoAllow: rules };
		const profile = parts.profileOf(run);
		if (toolName === "bash" && !profile.toolNames.includes(toolName)) {
			return { content: `the agent type ${run.spec.agentType} has no bash`, isError: true, isDenied: true };
		}
		const answer = await permissions.authorizeTyped(run, profile, asked, signal);
		if (answer.decision === "deny") return { content: answer.message, isError: true, isDenied: true };
		const tool: Tool = await BUILTIN_TOOLS[toolName]();
		const context = await contextOf(run, toolUseId, signal, parts, isolation);
		try {
			const output = await tool.execute(input, context);
			const { content, isError = false } = typeof output === "string" ? { content: output } : output;
			return { content, isError, isDenied: false };
		} catch (thrown) {
			if (signal.aborted) throw new ClowderError("ERR_ABORTED", "The prompt was interrupted");
			const content = thrown instanceof ToolError ? thrown.message : `Error: ${messageOf(thrown)}`;
			return { content, isError: true, isDenied: false };
		}
	}

	return {
		runCommand: async (run, command, rules, signal) => {
			const { content, isDenied } = await call(run, "bash", { command }, rules, signal);
			if (signal.aborted) throw new ClowderError("ERR_ABORTED", "The prompt was interrupted");
			return isDenied ? { kind: "denied", message: content } : { kind: "ran", output: content };
		},
		readFile: async (run, { path, lines }, signal) => {
			const { content, isError } = await call(run, "read_file", { path, ...lines }, [], signal);
			return isError ? { kind: "denied", message: content.replace(/^Error: /, "") } : { kind: "read", content };
		},
	};
}

async function contextOf(
	run: LiveRun,
	toolUseId: string,
	signal: AbortSignal,
	{ clock, outputDir, additionalDirectories, processes }: TypedCallsParts,
	isolation: TypedCallsParts["isolation"],
): Promise<ToolContext> {
	const { cwd } = isolation.folderOf(run);
	const workspace = await createWorkspace({ cwd, additionalDirectories });
	return {
		toolUseId,
		agent: { runId: run.spec.id, name: run.spec.name, type: run.spec.agentType },
		cwd: workspace.root,
		workspace,
		signal,
		clock,
		env: isolation.envOf(run),
		processes: registryOf(run, processes),
		// What a person has put before it, an agent has still to read before it may overwrite it.
		reads: createReadTracker(),
		outputDir,
		readOnly: false,
		hiddenFrom: () => Promise.reject(new ClowderError("ERR_BAD_MESSAGE", "A prompt makes no searches")),
		ask: () => Promise.reject(new ClowderError("ERR_BAD_MESSAGE", "A prompt asks nothing of main")),
		touch: () => {},
		log: () => {},
	};
}

function registryOf({ key, spec }: LiveRun, ledger: ProcessLedger): ProcessRegistry {
	return {
		marker: runMarker(spec.id),
		add: (pid) => {
			if (ledger.add(key, pid)) return;
			// Nobody could end what is not recorded.
			signalProcessGroup(pid, "SIGKILL");
			throw new Error("too many child processes at once");
		},
		remove: (pid) => ledger.remove(key, pid),
	};
}
