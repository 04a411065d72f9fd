// Which operands of well-known commands are files they read or write, so that a path rule holds for
// `cat .env` as it does for the read tool. What a script or an unknown program does inside is not seen here.

import { commandName } from "./command-name.ts";
import type { ShellCommand, ShellWord } from "./script.ts";
import { type SearchOperands, searchOperands } from "./search-operands.ts";
import { dropStart, plainWord } from "./word.ts";

export interface FileOperand {
	readonly access: "read" | "edit";
	readonly word: ShellWord;
	/** What is in a folder counts too. */
	readonly recursive: boolean;
}

interface FileCommand {
	/** `last`: the last operand is written, the others are read. */
	readonly operands: "read" | "edit" | "last";
	/** The first operand is no file (a pattern, a script, a mode), unless one of these options gives it. */
	readonly firstIsText?: RegExp;
	/** Options that turn all operands into edits. */
	readonly editsWith?: RegExp;
	/** Options whose value is a file it writes. */
	readonly writesTo?: RegExp;
	/** Goes into folders. */
	readonly recursive?: true;
}

const READ: FileCommand = { operands: "read" };
const EDIT: FileCommand = { operands: "edit", recursive: true };
const COPY: FileCommand = { operands: "last", recursive: true, writesTo: /^(?:-t|--target-directory)$/ };
const NEVER = /(?!)/;
const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
	...table(
		READ,
		"cat head tail less more nl tac rev wc od hexdump strings cut paste join comm cmp base64 base32 md5sum",
	),
	...table(READ, "sha1sum sha256sum sha512sum cksum zcat bzcat xzcat bat fold fmt expand column pr view"),
	...table({ operands: "read", recursive: true }, "diff zip"),
	...table(EDIT, "rm mv rmdir unlink shred truncate touch mkdir mkfifo tee vim vi nano ed emacs patch"),
	...table(COPY, "cp install ln rsync scp"),
	...table({ ...EDIT, firstIsText: NEVER }, "chmod chown chgrp"),
	sed: {
		operands: "read",
		firstIsText: /^-[a-zA-Z]*[ef]|^--(?:e|fi)/,
		editsWith: /^-[a-zA-Z]*i|^--i/,
	},
	perl: { operands: "read", editsWith: /^-[a-zA-Z0]*i/ },
	...table({ operands: "read", firstIsText: /^-[a-zA-Z]*f|^--fi/ }, "awk gawk mawk nawk"),
	...table({ operands: "read", firstIsText: /^-f|^--from-file/ }, "jq yq"),
	sort: { operands: "read", writesTo: /^(?:-o|--output)$/ },
	uniq: { operands: "last" },
	xxd: { operands: "last" },
	tar: { operands: "read", recursive: true, writesTo: /^-?[a-zA-Z]*f$|^--file$/ },
	curl: { operands: "read", writesTo: /^(?:-o|--output|-D|--dump-header)$/ },
	wget: { operands: "read", writesTo: /^(?:-O|--output-document|-P|--directory-prefix)$/ },
	split: { operands: "last" },
	gzip: EDIT,
	gunzip: EDIT,
};

function table(command: FileCommand, names: string): Record<string, FileCommand> {
	return Object.fromEntries(names.split(" ").map((name) => [name, command]));
}

/** The file operands of one command; none for a command that is not in the table. */
export function fileOperands(command: ShellCommand): FileOperand[] {
	const name = commandName(command) ?? "";
	if (name === "dd") return ddOperands(command);
	if (name === "find") return findOperands(command);
	const search = searchOperands(name, command.words.slice(1));
	if (search) return readBySearch(search, command.words.slice(1));
	const entry = Object.hasOwn(FILE_COMMANDS, name) ? FILE_COMMANDS[name] : undefined;
	if (entry === undefined) return [];
	const args = command.words.slice(1);
	const edits =
		entry.operands === "edit" || (entry.editsWith !== undefined && args.some((word) => matches(entry.editsWith, word)));
	const operands: FileOperand[] = [];
	const fileOf = name === "curl" ? uploadedFile : (word: ShellWord) => word;
	const recursive = entry.recursive === true;
	let isText = entry.firstIsText !== undefined && !args.some((word) => matches(entry.firstIsText, word));
	let afterOptions = false;
	for (const [at, word] of args.entries()) {
		const isOption = !afterOptions && /^-./.test(word.text[0]);
		if (word.value === "--") afterOptions = true;
		else if (isOption) operands.push(...optionValue(word, entry, edits));
		else if (matches(entry.writesTo, args[at - 1])) operands.push({ access: "edit", word, recursive: false });
		else if (isText) isText = false;
		else operands.push({ access: edits ? "edit" : "read", word: fileOf(word), recursive });
	}
	const files = operands.filter((operand) => !/^-/.test(operand.word.text[0]));
	if (entry.operands === "last" && files.length > 1)
		return operands.map((each) => (each === files.at(-1) ? { ...each, access: "edit" } : each));
	return operands;
}

const HERE: ShellWord = plainWord(".");

function readBySearch({ words, here }: SearchOperands, args: readonly ShellWord[]): FileOperand[] {
	const attached = args.filter((word) => /^-./.test(word.text[0])).flatMap((word) => optionValue(word, READ, false));
	const named = [...words, ...(here ? [HERE] : [])];
	return [...attached, ...named.map((word): FileOperand => ({ access: "read", word, recursive: true }))];
}

// `--file=.env`, `-o.env`, `-d@.env`
function optionValue(word: ShellWord, entry: FileCommand, edits: boolean): FileOperand[] {
	const option = /^(--[^=]+)=@?|^(-[a-zA-Z])@?(?=.)/.exec(word.text[0]);
	if (!option) return [];
	const writes = edits || matches(entry.writesTo, { ...word, text: [option[1] ?? option[2] ?? ""] });
	return [{ access: writes ? "edit" : "read", word: dropStart(word, option[0].length), recursive: false }];
}

// `-d @file`, `-F name=@file`
function uploadedFile(word: ShellWord): ShellWord {
	const start = /^(?:[^=@]*=)?@/.exec(word.text[0])?.[0];
	return start === undefined ? word : dropStart(word, start.length);
}

// Only what it changes: it prints names, and what -exec does with them is judged as a command.
function findOperands(command: ShellCommand): FileOperand[] {
	const args = command.words.slice(1);
	const deletes = args.some((word) => word.value === "-delete");
	const starts = deletes ? findStarts(command) : [];
	const written = args.filter((_, at) => /^-f(?:print0?|printf|ls)$/.test(args[at - 1]?.value ?? ""));
	return [
		...starts.map((word): FileOperand => ({ access: "edit", word, recursive: true })),
		...written.map((word): FileOperand => ({ access: "edit", word, recursive: false })),
	];
}

/** The folders that find starts from. */
export function findStarts(command: ShellCommand): readonly ShellWord[] {
	const args = command.words.slice(1).filter((word) => !/^-(?:[HLP]|O\d*|D)$/.test(word.value ?? ""));
	const end = args.findIndex((word) => /^[-(!]/.test(word.value ?? ""));
	const starts = end < 0 ? args : args.slice(0, end);
	return starts.length > 0 ? starts : [HERE];
}

function ddOperands(command: ShellCommand): FileOperand[] {
	return command.words.slice(1).flatMap((word): FileOperand[] => {
		const key = /^(?:if|of)=/.exec(word.text[0])?.[0];
		if (key === undefined) return [];
		return [{ access: key === "of=" ? "edit" : "read", word: dropStart(word, key.length), recursive: false }];
	});
}

function matches(option: RegExp | undefined, word: ShellWord | undefined): boolean {
	return option !== undefined && word !== undefined && option.test(word.text[0]);
}
