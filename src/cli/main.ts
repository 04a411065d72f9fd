#!/usr/bin/env node
// The CLI's entry: reads the arguments, runs one command, and leaves with its exit code.

import { messageOf } from "../errors.ts";
import { exitWith } from "./exit.ts";
import { reportFailure } from "./failure.ts";
import { runProgram } from "./program.ts";
import { plainText } from "./terminal/plain-text.ts";
import { openTerminal } from "./terminal/terminal.ts";

const terminal = openTerminal(process);

process.on("uncaughtException", (thrown) => {
	terminal.err(`clowder: ${plainText(messageOf(thrown))}\n`);
	exitWith(1);
});

runProgram(process.argv.slice(2), terminal).then(exitWith, (thrown: unknown) =>
	exitWith(reportFailure(thrown, terminal)),
);
