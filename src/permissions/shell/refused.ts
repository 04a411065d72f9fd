// Commands that no rule can allow, only bypassPermissions: what would end the machine or hand it over.
// Judged on the parsed command at every depth, so quoting, wrappers and `sh -c` do not hide them.

import { posix } from "node:path";
import type { PathContext } from "../paths/place.ts";
import { canMeet } from "../rules/holed-text.ts";
import type { ShellAnalysis } from "./analysis.ts";
import { commandName } from "./command-name.ts";
import { fileOperands } from "./file-operands.ts";
import { findForkBomb } from "./fork-bomb.ts";
import type { RefusedVerdict } from "./refused-verdict.ts";
import { judgeRemoval } from "./removal.ts";
import type { ShellCommand, ShellWord } from "./script.ts";

const BECOMES_ANOTHER = /^(?:sudo|sudoedit|doas|su|pkexec)$/;
const STOPS_MACHINE = /^(?:shutdown|reboot|halt|poweroff)$/;
const STOPPING_UNIT = /^(?:poweroff|reboot|halt|kexec|emergency|rescue)$/;
const MAKES_FILE_SYSTEM = /^(?:mkfs(?:\..*)?|mke2fs)$/;
const BLOCK_DEVICE =
	/^\/dev\/(?:(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|dm-|md|loop|sr|nbd|z?ram)[^/]*|mapper\/.*|disk\/.*|k?mem|port)$/s;
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|stdout|stderr|tty|fd\/\d+|shm\/.*)$/s;

/** What is wrong with the command beyond any rule; undefined when nothing is. */
export function judgeRefused(analysis: ShellAnalysis, context: PathContext): RefusedVerdict | undefined {
	const bomb = findForkBomb(analysis);
	if (bomb !== undefined) return refused(`the function ${bomb} starts copies of itself without end`);
	const verdicts = [
		...analysis.commands.map((command) => judgeCommand(command, analysis, context)),
		...analysis.redirects.map((redirect) =>
			redirect.access === "write" && redirect.target ? judgeWrite(redirect.target, analysis) : undefined,
		),
	];
	return verdicts.find((each) => each?.verdict === "refused") ?? verdicts.find((each) => each !== undefined);
}

function judgeCommand(
	command: ShellCommand,
	analysis: ShellAnalysis,
	context: PathContext,
): RefusedVerdict | undefined {
	const name = posix.basename(commandName(command) ?? "");
	const args = command.words.slice(1);
	const hasArgument = (pattern: RegExp) => args.some((word) => pattern.test(word.value ?? ""));
	if (BECOMES_ANOTHER.test(name)) return refused(`${name} runs commands as another user`);
	if (STOPS_MACHINE.test(name)) return refused(`${name} stops the machine`);
	if (MAKES_FILE_SYSTEM.test(name)) return refused(`${name} makes a new file system`);
	switch (name) {
		case "init":
		case "telinit":
			return hasArgument(/^[06]$/) ? refused(`${name} stops the machine`) : undefined;
		case "systemctl":
			return hasArgument(STOPPING_UNIT) ? refused("systemctl stops the machine") : undefined;
		case "dd":
			return firstOf(args.map((word) => judgeDdOperand(word, analysis)));
		case "rm":
		case "find":
			return judgeRemoval(command, analysis, context);
		default:
			return firstOf(
				fileOperands(command).map((each) => (each.access === "edit" ? judgeWrite(each.word, analysis) : undefined)),
			);
	}
}

function judgeDdOperand(word: ShellWord, analysis: ShellAnalysis): RefusedVerdict | undefined {
	if (word.value === undefined) {
		return canMeet(word.text, ["of=/dev/", ""]) ? unsure("dd may write to a device") : undefined;
	}
	if (!word.value.startsWith("of=")) return undefined;
	const paths = pathsFrom(word.value.slice("of=".length), analysis);
	const device = paths.find((path) => path.startsWith("/dev/") && !HARMLESS_DEVICE.test(path));
	return device === undefined ? undefined : refused(`dd writes to the device ${device}`);
}

function judgeWrite(target: ShellWord, analysis: ShellAnalysis): RefusedVerdict | undefined {
	if (target.value === undefined) {
		const start = target.text[0];
		return start.startsWith("/dev/") && !HARMLESS_DEVICE.test(start) ? unsure("it may write to a device") : undefined;
	}
	const device = pathsFrom(target.value, analysis).find((path) => BLOCK_DEVICE.test(path));
	return device === undefined ? undefined : refused(`it writes to the device ${device}`);
}

function pathsFrom(path: string, analysis: ShellAnalysis): string[] {
	return analysis.folders.known.map((folder) => posix.resolve(folder, path));
}

function firstOf(verdicts: readonly (RefusedVerdict | undefined)[]): RefusedVerdict | undefined {
	return verdicts.find((each) => each !== undefined);
}

function refused(reason: string): RefusedVerdict {
	return { verdict: "refused", reason };
}

function unsure(reason: string): RefusedVerdict {
	return { verdict: "unsure", reason };
}
