// Takes the text of a slash command or skill apart: plain text, and commands whose output shall stand in their place.

export interface TemplatePart {
	/** `command`: a line for bash. */
	readonly kind: "text" | "command";
	readonly text: string;
}

/** `` !`command` `` at the start of a word, and blocks that begin with ```` ```! ````. */
const COMMAND = /^```![ \t]*\n?([\s\S]*?)\n?```[ \t]*$|(?<=^|\s)!`([^`\n]+)`/gm;

/** The parts in their order; joined they are the template, the marks around commands left out. */
export function templateParts(template: string): readonly TemplatePart[] {
	const parts: TemplatePart[] = [];
	let end = 0;
	const addText = (text: string) => {
		if (text !== "") parts.push({ kind: "text", text });
	};
	for (const found of template.matchAll(COMMAND)) {
		const command = (found[1] ?? found[2] ?? "").trim();
		if (command === "") continue;
		addText(template.slice(end, found.index));
		parts.push({ kind: "command", text: command });
		end = found.index + found[0].length;
	}
	addText(template.slice(end));
	return parts;
}
