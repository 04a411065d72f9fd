// A real terminal for the CLI: tmux, with a server of its own per terminal. Where there is no tmux the tests that need
// one are skipped and say so.

import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { onTestFailed, onTestFinished } from "vitest";
import { CLI } from "./cli.ts";
import { until } from "./supervisor.ts";

const run = promisify(execFile);

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux) console.warn("SKIPPED: there is no tmux on this machine; terminal scenarios need it");

export interface Terminal {
	/** Types a line and presses Enter. */
	type(line: string): Promise<void>;
	/** Pastes a text as a terminal does, without Enter. */
	paste(text: string): Promise<void>;
	/** Types without Enter. */
	write(text: string): Promise<void>;
	/** Presses a key, as tmux calls it: `C-c`, `C-d`, `Enter`. */
	press(key: string): Promise<void>;
	/** All that was shown, what has scrolled away included; lines without their trailing spaces. */
	text(): Promise<string>;
	/** Resolves with the text when it contains this so many times. */
	shows(part: string, times?: number): Promise<string>;
	/** The exit code of the program, once it has ended. */
	ended(): Promise<number>;
}

export interface TerminalOptions {
	readonly columns: number;
	readonly rows: number;
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
}

let terminals = 0;

/** Opens a terminal with the built CLI in it. */
export async function openTerminal(args: readonly string[], options: TerminalOptions): Promise<Terminal> {
	terminals += 1;
	const socket = `clowder-${process.pid}-${terminals}`;
	const tmux = async (...words: string[]) => (await run("tmux", ["-u", "-L", socket, ...words])).stdout;
	const env = {
		PATH: process.env.PATH ?? "",
		HOME: options.cwd,
		LANG: "C.UTF-8",
		TERM: "screen-256color",
		...options.env,
	};
	const words = [
		"env",
		"-i",
		...Object.entries(env).map(([name, value]) => `${name}=${value}`),
		process.execPath,
		CLI,
		...args,
	];
	onTestFinished(async () => void (await tmux("kill-server").catch(() => {})));
	const size = ["-x", String(options.columns), "-y", String(options.rows)];
	// Order: the limit holds before the program's window is made.
	await run("tmux", [
		...["-u", "-L", socket, "-f", "/dev/null", "new-session", "-d", ...size, "-c", options.cwd, "sleep 600"],
		...[";", "set-option", "-g", "history-limit", "10000"],
		...[";", "new-window", "-k", "-t", "0", "-c", options.cwd, `${words.map(quoted).join(" ")}; ${LAST_WORDS}`],
	]);
	const text = async () => (await tmux("capture-pane", "-p", "-S", "-", "-J")).replace(/[ \t]+$/gm, "").trimEnd();
	let lastSeen = "";
	onTestFailed(() => console.error(`The terminal showed last:\n${lastSeen}`));
	return {
		type: async (line) => {
			await tmux("send-keys", "-l", line);
			await tmux("send-keys", "Enter");
		},
		paste: async (text) => {
			await tmux("set-buffer", text);
			await tmux("paste-buffer", "-p");
		},
		write: async (text) => void (await tmux("send-keys", "-l", text)),
		press: async (key) => void (await tmux("send-keys", key)),
		text,
		shows: async (part, times = 1) => {
			await until(async () => {
				lastSeen = await text();
				return lastSeen.split(part).length > times;
			});
			return lastSeen;
		},
		ended: async () => {
			const code = async () => /^the program has ended with (\d+)$/m.exec(await text())?.[1];
			await until(async () => (await code()) !== undefined);
			return Number(await code());
		},
	};
}

// Upstream: tmux does not always know how the program of a pane has ended.
const LAST_WORDS = 'echo "the program has ended with $?"; sleep 600';

const quoted = (word: string) => `'${word.replace(/'/g, "'\\''")}'`;
