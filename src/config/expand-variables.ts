/**
 * Puts environment variables into a text: `${NAME}`, and `${NAME:-default}` for one that is unset or empty. A
 * variable without value and default stays as it is written and is told to `onMissing`.
 */
export function expandVariables(
	text: string,
	env: Readonly<Record<string, string | undefined>>,
	onMissing: (name: string) => void,
): string {
	return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (written, name: string, fallback: string | undefined) => {
		const value = env[name];
		if (value !== undefined && (value !== "" || fallback === undefined)) return value;
		if (fallback !== undefined) return fallback;
		onMissing(name);
		return written;
	});
}
