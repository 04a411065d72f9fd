// What a run leaves behind in its thread. A thread serves one run after another, and tool modules are anybody's code:
// a patched built-in, a timer, a listener or a full heap would meet whoever comes next. A thread that is not as it was
// is not used again.

import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import fs from "node:fs";
import { getHeapStatistics } from "node:v8";
import { DEFAULT_LIMITS } from "../../supervision/decide-deadline.ts";
import type { AgentInit } from "../../wire/control.ts";

/** The built-ins that this program and most packages stand on. */
const GLOBALS = [
	...["Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Date", "RegExp", "Promise"],
	...["Map", "Set", "WeakMap", "WeakSet", "Error", "TypeError", "ArrayBuffer", "SharedArrayBuffer", "Uint8Array"],
	...["Int32Array", "Buffer", "JSON", "Math", "Reflect", "Atomics", "AbortController", "AbortSignal", "URL"],
	...["TextDecoder", "TextEncoder", "EventTarget", "MessagePort", "console", "process"],
];
/** Read by name alone: what is in them is loaded at first use. */
const FUNCTIONS = [
	...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"],
	...["queueMicrotask", "structuredClone", "fetch", "eval", "parseInt", "parseFloat"],
];
const LISTENED = ["uncaughtException", "uncaughtExceptionMonitor", "unhandledRejection", "exit", "warning", "message"];

interface Snapshot {
	readonly values: readonly unknown[];
	readonly text: string;
}

function describedObjects(): object[] {
	const objects: object[] = [fs, fs.promises, childProcess, EventEmitter, EventEmitter.prototype];
	objects.push(Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf(Uint8Array.prototype));
	for (const name of GLOBALS) {
		const value = Reflect.get(globalThis, name) as { readonly prototype?: unknown } | undefined;
		if (value === undefined || value === null) continue;
		objects.push(value);
		if (typeof value.prototype === "object" && value.prototype !== null) objects.push(value.prototype);
	}
	return objects;
}

function takeSnapshot(): Snapshot {
	const values: unknown[] = FUNCTIONS.map((name) => Reflect.get(globalThis, name));
	for (const object of describedObjects()) {
		values.push(object);
		for (const [key, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
			// Functions and accessors alone: numbers and flags of a process change by themselves.
			values.push(key, typeof value === "function" ? value : undefined, get, set);
		}
	}
	return { values, text: JSON.stringify([process.env, LISTENED.map((name) => process.listenerCount(name))]) };
}

/** Resources that stay until somebody ends them; requests on their way end by themselves. */
const LASTING = new Set([
	"Timeout",
	"TCPSocketWrap",
	"TCPServerWrap",
	"PipeWrap",
	"ProcessWrap",
	"UDPWrap",
	"FSEventWrap",
	"StatWatcher",
]);
const countLasting = (): number => process.getActiveResourcesInfo().filter((kind) => LASTING.has(kind)).length;

const exitThread = process.exit.bind(process);
/** Of the thread before any module was loaded in it. */
let pristine: Snapshot | undefined;

/** Watches one run; call the result when all of the run is over. It ends the thread if that is not as it was. */
export function watchTraces({ toolModules, limits }: Pick<AgentInit, "toolModules" | "limits">): () => void {
	const hasModules = toolModules.length > 0;
	if (hasModules) pristine ??= takeSnapshot();
	const resources = hasModules ? countLasting() : 0;
	const mark = (limits.heapMb ?? DEFAULT_LIMITS.heapMb) * 2 ** 20;
	return () => {
		try {
			const { used_heap_size, external_memory } = getHeapStatistics();
			const isFull = used_heap_size + external_memory > mark / 2;
			if (!isFull && (!hasModules || (countLasting() <= resources && isSame(pristine, takeSnapshot())))) return;
		} catch {
			// Not even looking works here any more.
		}
		exitThread(0);
	};
}

function isSame(before: Snapshot | undefined, now: Snapshot): boolean {
	if (before?.text !== now.text || before.values.length !== now.values.length) return false;
	for (let at = 0; at < now.values.length; at += 1) {
		if (before.values[at] !== now.values[at]) return false;
	}
	return true;
}
