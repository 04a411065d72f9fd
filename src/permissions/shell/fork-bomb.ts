// A function that, directly or through others, starts itself again beside itself: `:(){ :|:& };:`.

import type { ShellAnalysis } from "./analysis.ts";

/** The name of such a function, if the script has one. */
export function findForkBomb(analysis: ShellAnalysis): string | undefined {
	const calls = callsBetween(analysis);
	return [...calls.keys()].find((name) => reachesItself(name, calls));
}

interface Call {
	readonly to: string;
	readonly forked: boolean;
}

function callsBetween(analysis: ShellAnalysis): ReadonlyMap<string, readonly Call[]> {
	const calls = new Map<string, Call[]>(analysis.functions.map((name) => [name, []]));
	for (const command of analysis.commands) {
		const from = command.inFunction;
		const to = command.words[0]?.value;
		if (from === undefined || to === undefined || !calls.has(to)) continue;
		calls.get(from)?.push({ to, forked: command.forked });
	}
	return calls;
}

function reachesItself(start: string, calls: ReadonlyMap<string, readonly Call[]>): boolean {
	const seen = new Set<string>();
	const waiting: Call[] = [...(calls.get(start) ?? [])];
	for (let call = waiting.pop(); call; call = waiting.pop()) {
		if (call.to === start && call.forked) return true;
		const key = `${call.to} ${call.forked}`;
		if (seen.has(key)) continue;
		seen.add(key);
		for (const next of calls.get(call.to) ?? []) waiting.push({ to: next.to, forked: next.forked || call.forked });
	}
	return false;
}
