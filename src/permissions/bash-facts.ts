// What is known of one bash call before any rule is looked at. Gathered once per call.

import type { PathContext } from "./paths/place.ts";
import { analyzeCommand, type ShellAnalysis } from "./shell/analysis.ts";
import { judgeRefused } from "./shell/refused.ts";
import type { RefusedVerdict } from "./shell/refused-verdict.ts";
import { type TouchedFile, touchedFiles } from "./shell/touched-files.ts";

export interface BashFacts {
	readonly analysis: ShellAnalysis;
	readonly touched: readonly TouchedFile[];
	/** What is wrong with it beyond any rule. */
	readonly refused: RefusedVerdict | undefined;
}

export function gatherBashFacts(command: string, context: PathContext): BashFacts {
	const analysis = analyzeCommand(command, { cwd: context.cwd, homeDir: context.homeDir });
	return { analysis, touched: touchedFiles(analysis, context), refused: judgeRefused(analysis, context) };
}
