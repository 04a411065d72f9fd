// Where the conversation appears. On a stream that is no terminal nothing is live: only what is printed for good appears.

export interface LiveRegion {
	/** Replaces the live lines. */
	update(lines: readonly string[]): void;
	/** Prints above the live lines, for good; lines are broken at words. */
	print(text: string): void;
	/** Takes the live lines away. */
	clear(): void;
	/** Size of the screen. */
	readonly columns: number;
	readonly rows: number;
}

export function plainRegion(stream: NodeJS.WriteStream): LiveRegion {
	return {
		columns: stream.columns ?? 80,
		rows: stream.rows ?? 24,
		update: () => {},
		print: (text) => void stream.write(text),
		clear: () => {},
	};
}
