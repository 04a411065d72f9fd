// Takes the text of a slash command or skill apart: plain text, and commands whose output shall stand in their place.

export interface TemplatePart {
	/** `command`: a line for bash. */
	readonly kind: "text" | "command";
	readonly text: string;
}

/** `` !`command` `` at the start of a word, and the beginning of a block: ```` ```! ```` at the start of a line. */
const OPENING = /^```!|(?<=^|\s)!`([^`\n]+)`/gm;
/** A block ends with the first three backticks that end a line. */
const CLOSING = /```[ \t]*$/gm;

/** The parts in their order; joined they are the template, the marks around commands left out. */
export function templateParts(template: string): readonly TemplatePart[] {
	const parts: TemplatePart[] = [];
	let end = 0;
	const addText = (text: string) => {
		if (text !== "") parts.push({ kind: "text", text });
	};
	for (const { start, stop, command } of findCommands(template)) {
		if (command === "") continue;
		addText(template.slice(end, start));
		parts.push({ kind: "command", text: command });
		end = stop;
	}
	addText(template.slice(end));
	return parts;
}

// One pass: an opening that is never closed is not looked for again behind it.
function* findCommands(template: string) {
	const closings = template.matchAll(CLOSING);
	let closing = closings.next().value;
	let at = 0;
	for (const opening of template.matchAll(OPENING)) {
		const { index: start, 0: mark, 1: inline } = opening;
		if (start < at) continue;
		if (inline !== undefined) {
			at = start + mark.length;
			yield { start, stop: at, command: inline.trim() };
			continue;
		}
		const inside = start + mark.length;
		while (closing && closing.index < inside) closing = closings.next().value;
		if (!closing) continue;
		at = closing.index + closing[0].length;
		yield { start, stop: at, command: template.slice(inside, closing.index).trim() };
	}
}
