// `/team` in the REPL: the person's own hand on the team. Answers with lines.

import type { DeadLetter } from "../bus/dead-letters.ts";
import { isClowderError } from "../errors.ts";
import type { Message } from "../wire/conversation.ts";
import type { SpawnTeammate } from "./spawn-teammate.ts";
import type { TeamHand } from "./team.ts";
import { formatReceipt, formatTeam } from "./team-texts.ts";

export const TEAM_USAGE = [
	"Usage: /team [list] | spawn NAME [--role ROLE] [--type TYPE] [--task ID] [--plan] [--worktree] PROMPT",
	"       /team message NAME TEXT | stop NAME | log NAME [N] | letters",
	"       /team plans | approve ID [FEEDBACK] | reject ID [FEEDBACK]",
];

/** Runs what stands behind `/team`; expected failures are lines too. @param dead what nobody was left to read. */
export async function runTeamCommand(
	team: TeamHand,
	rest: string,
	dead: readonly DeadLetter[] = [],
): Promise<string[]> {
	// What the program tells an agent is nobody's loss when that agent has ended.
	const letters = dead.filter(({ envelope: { kind } }) => kind === "message" || kind === "broadcast");
	const [, verb = "", words = ""] = /^\s*(\S*)\s*(.*)$/s.exec(rest) ?? [];
	try {
		switch (verb) {
			case "":
			case "list":
				return [...formatTeam(team.list()), ...hintAt(letters)];
			case "spawn":
				return await spawn(team, words);
			case "message":
				return await withName(words, "a text", async (name, text) => [formatReceipt(await team.send(name, text))]);
			case "stop":
				return await stop(team, words);
			case "log":
				return await log(team, words);
			case "letters":
				return letters.length === 0 ? ["Every message has its reader."] : letters.map(formatLetter);
			case "plans":
				return plans(team);
			case "approve":
			case "reject":
				return await review(team, words, verb === "approve");
			default:
				return [`Unknown subcommand: ${verb}`, ...TEAM_USAGE];
		}
	} catch (thrown) {
		if (!isClowderError(thrown)) throw thrown;
		return [`Error: ${thrown.message}`];
	}
}

function hintAt(letters: readonly DeadLetter[]): string[] {
	return letters.length === 0 ? [] : [`  ${letters.length} message(s) that nobody was left to read -- /team letters`];
}

function formatLetter({ envelope: { from, to, body, summary }, reason }: DeadLetter): string {
	return `  ${from} to ${to} (${reason}): ${short(summary ?? body)}`;
}

const FLAG = /^--(role|type|task)(?:=|\s+)("[^"]*"|'[^']*'|\S+)\s*|^--(plan|worktree)(?=\s|$)\s*/;

async function spawn(team: TeamHand, words: string): Promise<string[]> {
	let [, name = "", left = ""] = /^(\S*)\s*(.*)$/s.exec(words) ?? [];
	const flags = new Map<string, string>();
	for (let match = FLAG.exec(left); match; match = FLAG.exec(left)) {
		flags.set(match[1] ?? match[3] ?? "", (match[2] ?? "").replace(/^(["'])(.*)\1$/s, "$2"));
		left = left.slice(match[0].length);
	}
	if (name === "") return ["Error: a name is required", ...TEAM_USAGE];
	const agentType = flags.get("type");
	const taskId = flags.get("task");
	if (left.trim() === "" && taskId === undefined) return ["Error: a prompt is required", ...TEAM_USAGE];
	const wanted: SpawnTeammate = {
		name,
		role: flags.get("role") ?? "a teammate",
		prompt: left.trim() === "" ? "Begin with your task." : left.trim(),
		requirePlan: flags.has("plan"),
		...(agentType === undefined ? {} : { agentType }),
		...(taskId === undefined ? {} : { taskId }),
		...(flags.has("worktree") ? { isolation: "worktree" as const } : {}),
	};
	await team.spawn(wanted);
	// The line that tells of it comes with the event, for whoever spawned it.
	return [];
}

async function stop(team: TeamHand, words: string): Promise<string[]> {
	const name = words.trim();
	if (name === "") return ["Error: a name is required", ...TEAM_USAGE];
	await team.stop(name);
	return [`Teammate '${name}' has shut down.`];
}

async function log(team: TeamHand, words: string): Promise<string[]> {
	const [name = "", count = "20"] = words.trim().split(/\s+/);
	if (name === "" || !/^\d{1,4}$/.test(count)) return ["Error: a name is required", ...TEAM_USAGE];
	const messages = await team.log(name, Math.max(1, Number(count)));
	return messages.length === 0 ? ["(nothing yet)"] : messages.flatMap((json) => formatMessage(JSON.parse(json)));
}

const MAX_LOG_CHARS = 600;

function formatMessage({ role, content }: Message): string[] {
	const lines: string[] = content.map((block) => {
		if (block.type === "text") return short(block.text);
		if (block.type === "tool_use") return `[${block.name} ${short(JSON.stringify(block.input))}]`;
		if (block.type !== "tool_result") return "(thinking)";
		const text = typeof block.content === "string" ? block.content : block.content.map((part) => part.text).join("\n");
		return `→ ${short(text)}`;
	});
	return lines.map((line) => `${role === "assistant" ? "●" : "○"} ${line}`);
}

const short = (text: string) => (text.length > MAX_LOG_CHARS ? `${text.slice(0, MAX_LOG_CHARS)} …` : text);

function plans(team: TeamHand): string[] {
	const waiting = team.requests().filter(({ type, status }) => type === "plan_approval" && status === "pending");
	if (waiting.length === 0) return ["No plan waits for approval."];
	return waiting.flatMap(({ requestId, sender, body }) => [`${requestId} of ${sender}:`, body, ""]);
}

function review(team: TeamHand, words: string, approve: boolean): Promise<string[]> | string[] {
	const [, requestId = "", feedback = ""] = /^(\S*)\s*(.*)$/s.exec(words) ?? [];
	if (requestId === "") return ["Error: the id of a plan is required; /team plans lists them", ...TEAM_USAGE];
	return team
		.reviewPlan({ requestId, approve, ...(feedback === "" ? {} : { feedback }) })
		.then(() => [approve ? "Plan approved." : "Plan rejected."]);
}

function withName(
	words: string,
	what: string,
	run: (name: string, text: string) => Promise<string[]>,
): Promise<string[]> | string[] {
	const [, name = "", text = ""] = /^(\S*)\s*(.*)$/s.exec(words) ?? [];
	return name === "" || text === "" ? [`Error: a name and ${what} are required`, ...TEAM_USAGE] : run(name, text);
}
