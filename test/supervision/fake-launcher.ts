import { createDeferred } from "../../src/lib/deferred.ts";
import { BoardRow } from "../../src/supervision/board-row.ts";
import type { AgentLauncher, AgentThread, LaunchOptions, ThreadEnd } from "../../src/supervision/launcher.ts";
import type { AgentCommand } from "../../src/wire/control.ts";
import type { RunOutcome } from "../../src/wire/run.ts";

/** A thread that does what the test says. */
export class FakeThread implements AgentThread {
	readonly options: LaunchOptions;
	readonly commands: AgentCommand[] = [];
	readonly #ended = createDeferred<ThreadEnd>();
	readonly ended = this.#ended.promise;
	killResult: "gone" | "lost" = "gone";
	/** Ends when it is asked to. */
	obeys = true;
	kills = 0;
	releases = 0;

	constructor(options: LaunchOptions) {
		this.options = options;
	}

	post(command: AgentCommand): void {
		this.commands.push(command);
	}

	/** Reports the current prompt as finished. */
	finish(outcome: Partial<RunOutcome> = {}): void {
		const started = this.commands.filter((command) => command.type === "start-prompt").at(-1);
		if (!started) throw new Error("no prompt was started");
		this.options.onReport({
			type: "prompt-finished",
			promptId: started.promptId,
			outcome: { reason: "done", finalText: "result", ...outcome },
		});
	}

	end(end: ThreadEnd): void {
		this.#ended.resolve(end);
	}

	release(): void {
		this.releases += 1;
		if (this.obeys) this.#ended.resolve({ kind: "released" });
	}

	async kill(): Promise<"gone" | "lost"> {
		this.kills += 1;
		if (this.killResult === "gone") this.#ended.resolve({ kind: "terminated" });
		return this.killResult;
	}
}

export interface FakeLauncher extends AgentLauncher {
	readonly threads: FakeThread[];
	/** Its threads do not come to the end of their loading. */
	keepsLoading: boolean;
}

export function createFakeLauncher(): FakeLauncher {
	const threads: FakeThread[] = [];
	const launcher: FakeLauncher = {
		threads,
		keepsLoading: false,
		launch: (options) => {
			options.onStarting();
			if (!launcher.keepsLoading) new BoardRow(options.init.board.buffer).phase("model");
			const thread = new FakeThread(options);
			threads.push(thread);
			return thread;
		},
	};
	return launcher;
}
