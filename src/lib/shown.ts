/** A value as a message about it shows it: short, and of objects only that they are some. */
export function shown(value: unknown): string {
	if (value === undefined) return "absent";
	if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
	if (Array.isArray(value)) return "a list";
	if (typeof value === "function") return "a function";
	return typeof value === "object" && value !== null ? "an object" : String(value);
}
