// The two output streams as the CLI uses them: what they can do, and nothing written after the reader has gone.

import pc from "picocolors";

export interface Terminal {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly stderr: NodeJS.WriteStream;
	/** The chosen output format, and nothing else. */
	out(text: string): void;
	/** Everything else. */
	err(text: string): void;
	/** Colours for stderr; plain when it is no terminal or NO_COLOR is set. */
	readonly colors: ReturnType<typeof pc.createColors>;
	readonly env: Readonly<Record<string, string | undefined>>;
}

export function openTerminal(proc: NodeJS.Process): Terminal {
	for (const stream of [proc.stdout, proc.stderr]) {
		stream.on("error", (error: NodeJS.ErrnoException) => {
			// A reader that closed its pipe (`| head`) ends us quietly, as any Unix tool.
			if (error.code === "EPIPE") proc.exit(0);
		});
	}
	const { env } = proc;
	const colorful = proc.stderr.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
	return {
		stdin: proc.stdin,
		stdout: proc.stdout,
		stderr: proc.stderr,
		out: (text) => void proc.stdout.write(text),
		err: (text) => void proc.stderr.write(text),
		colors: pc.createColors(colorful),
		env,
	};
}
