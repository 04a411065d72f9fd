// Files that decide what may run. acceptEdits never lets an edit of them through by itself:
// an agent could otherwise write its own permissions.

import type { Place } from "./paths/place.ts";
import { inOrigin, type TreeCopy } from "./paths/tree-copy.ts";

const FOLDERS = /\/\.(?:git|clowder|claude|vscode|idea|husky|devcontainer|github|ssh)(?:\/|$)/i;
const NAMES =
	/\/(?:\.gitconfig|\.gitmodules|\.mcp\.json|\.env(?:\.[^/]*)?|\.npmrc|\.yarnrc(?:\.yml)?|\.bash(?:rc|_profile|_login|_logout|_aliases)|\.profile|\.z(?:shrc|shenv|profile|login)|\.envrc)$/i;

export function isProtected(place: Place, copy?: TreeCopy): boolean {
	// A copy of the project lies in our own state folder; what counts is where it stands for.
	const forms = place.forms.map((form) => inOrigin(form, copy) ?? form);
	return forms.some((form) => FOLDERS.test(form) || NAMES.test(form));
}
