// What readline reads at a terminal: the keys of stdin, except for those that it has no idea of. A pasted text arrives
// as one piece, whatever line ends are in it, and so does Escape. Where stdin is no terminal, it is read as it is.

import { emitKeypressEvents, type Interface, type Key } from "node:readline";
import { Readable } from "node:stream";

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/** Time after which an Escape is a key of its own and not the start of a sequence, in ms. */
const ESCAPE_MS = 80;

const WRITES_MORE: ReadonlySet<string> = new Set(["return", "enter", "tab"]);

export interface KeyHandlers {
	onPaste(text: string): void;
	onEscape(): void;
	/** Enter was pressed. True when that was taken care of. */
	onEnter(withAlt: boolean): boolean;
	/** Readline is about to write more than its line. */
	beforeOutput(): void;
}

/** A stream for `createInterface`; bracketed paste is on while readline has the terminal in raw mode. */
export function createKeys(
	stdin: NodeJS.ReadStream,
	stdout: Pick<NodeJS.WriteStream, "write">,
	handlers: KeyHandlers,
): NodeJS.ReadableStream & { stop(): void } {
	let pasted: string[] | undefined;
	let isRaw = false;

	function setRawMode(mode: boolean): void {
		stdin.setRawMode(mode);
		if (mode !== isRaw) stdout.write(mode ? PASTE_ON : PASTE_OFF);
		isRaw = mode;
	}

	// Readline gets keys only: no data ever comes from this stream itself.
	const keys = Object.assign(new Readable({ read: () => {} }), { isTTY: true, setRawMode, stop });

	function onKey(text: string | undefined, key: Key): void {
		if (key.name === "paste-start") pasted = [];
		else if (key.name === "paste-end") {
			const whole = pasted?.join("") ?? "";
			pasted = undefined;
			handlers.onPaste(whole);
		} else if (pasted) pasted.push(text ?? key.sequence ?? "");
		else if (key.name === "escape") handlers.onEscape();
		else if (key.name === "return" && handlers.onEnter(key.meta === true)) return;
		else {
			if (WRITES_MORE.has(key.name ?? "") || (key.ctrl && key.name === "l")) handlers.beforeOutput();
			keys.emit("keypress", text, key);
		}
	}

	const onEnd = () => void keys.push(null);
	// The terminal is left as it was found, however the program ends.
	const onExit = () => void (isRaw && stdout.write(PASTE_OFF));

	function stop(): void {
		stdin.off("keypress", onKey).off("end", onEnd).pause();
		process.off("exit", onExit);
	}

	emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
	stdin.on("keypress", onKey).on("end", onEnd).resume();
	process.on("exit", onExit);
	return keys;
}
