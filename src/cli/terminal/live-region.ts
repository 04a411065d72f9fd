// The bottom of a terminal: a few lines that are rewritten in place, below them the line in which the person types, and
// text scrolling by above both.

import { type LiveRegion, plainRegion } from "./region.ts";
import { cutLine, wrapText } from "./wrap-text.ts";

/** What stands below the live lines. */
export interface BelowRegion {
	hide(): void;
	show(): void;
	/** How many rows it and what belongs to it want to keep on the screen. */
	readonly wantedRows: number;
}

const NOTHING_BELOW: BelowRegion = { hide: () => {}, show: () => {}, wantedRows: 0 };

export function createLiveRegion(stream: NodeJS.WriteStream, below: BelowRegion = NOTHING_BELOW): LiveRegion {
	if (stream.isTTY !== true) return plainRegion(stream);
	let shown: readonly string[] = [];
	const columns = () => stream.columns ?? 80;
	const rows = () => stream.rows ?? 24;
	const size = {
		get columns() {
			return columns();
		},
		get rows() {
			return rows();
		},
	};

	// Whatever stands on the cursor's line makes room.
	const erase = () => `\r${shown.length === 0 ? "" : `\u001b[${shown.length}A`}\u001b[0J`;
	const draw = (lines: readonly string[]) => lines.map((line) => `${cutLine(line, columns() - 1)}\n`).join("");

	function clip(lines: readonly string[]): readonly string[] {
		const most = Math.max(1, rows() - 2 - below.wantedRows);
		if (lines.length <= most) return lines;
		return [...lines.slice(0, most - 1), `  … and ${lines.length - most + 1} more`];
	}

	/** One write to the terminal, so that nobody sees the steps. */
	function redraw(text: () => string, next: readonly string[]): void {
		stream.cork();
		below.hide();
		stream.write(erase() + text() + draw(next));
		shown = next;
		below.show();
		stream.uncork();
	}

	return Object.assign(size, {
		update: (lines: readonly string[]) => {
			const fitting = clip(lines);
			const isSame = fitting.length === shown.length && fitting.every((line, at) => line === shown[at]);
			if (!isSame) redraw(() => "", fitting);
		},
		print: (text: string) => redraw(() => wrapText(text, columns()), shown),
		clear: () => {
			if (shown.length > 0) redraw(() => "", []);
		},
	});
}
