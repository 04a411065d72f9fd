// A few lines at the bottom of a terminal that are rewritten in place, with text scrolling by above them.
// Where the stream is no terminal it draws nothing: only what is printed for good appears.

import stringWidth from "string-width";

export interface LiveRegion {
	/** Replaces the live lines. */
	update(lines: readonly string[]): void;
	/** Prints above the live lines, for good. */
	print(text: string): void;
	/** Takes the live lines away. */
	clear(): void;
}

export function createLiveRegion(stream: NodeJS.WriteStream): LiveRegion {
	let shown: readonly string[] = [];

	// Whatever stands on the cursor's line, a prompt or half a question, makes room.
	const erase = () => `\r${shown.length === 0 ? "" : `\u001b[${shown.length}A`}\u001b[0J`;
	const draw = (lines: readonly string[]) => lines.map((line) => `${cut(line, (stream.columns ?? 80) - 1)}\n`).join("");

	function clip(lines: readonly string[]): readonly string[] {
		const most = Math.max(1, (stream.rows ?? 24) - 2);
		if (lines.length <= most) return lines;
		return [...lines.slice(0, most - 1), `  … and ${lines.length - most + 1} more`];
	}

	if (stream.isTTY !== true) {
		return { update: () => {}, print: (text) => void stream.write(text), clear: () => {} };
	}
	return {
		update: (lines) => {
			const fitting = clip(lines);
			if (fitting.length === 0 && shown.length === 0) return;
			stream.write(erase() + draw(fitting));
			shown = fitting;
		},
		print: (text) => {
			stream.write(erase() + text + draw(shown));
		},
		clear: () => {
			stream.write(erase());
			shown = [];
		},
	};
}

/** Cuts a line to a width in terminal columns. */
function cut(line: string, columns: number): string {
	if (stringWidth(line) <= columns) return line;
	let kept = "";
	let width = 0;
	for (const char of line) {
		width += stringWidth(char);
		if (width > columns - 1) break;
		kept += char;
	}
	return `${kept}…`;
}
