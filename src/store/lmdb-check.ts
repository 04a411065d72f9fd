// Reads an LMDB data file the way LMDB would, without LMDB: a cut or overwritten file ends the whole
// process with SIGSEGV, SIGBUS or an assertion inside the native code, and no JavaScript can catch that.
// So every page that LMDB could reach is checked first. It costs one pass over the tree pages at open
// (values on overflow pages are not read). Layout: mdb.c of the LMDB that lmdb 3.5 bundles.

import { closeSync, openSync } from "node:fs";
import { endianness } from "node:os";
import {
	Broken,
	NO_PAGE,
	PAGE_HEADER,
	readBytes,
	readPage,
	readSnapshot,
	readTree,
	type Snapshot,
	type Tree,
} from "./lmdb-pages.ts";

const NODE_HEADER = 8;
const DB_RECORD = 48;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const BIG_DATA = 0x01;
const SUB_TREE = 0x02;
const MAX_DEPTH = 32;
/** Attempts while another process commits between our reads. */
const ATTEMPTS = 5;

interface LeafNode {
	readonly flags: number;
	readonly keyLength: number;
	readonly read: () => Buffer;
}

/** Looks at the entries of a tree; without one only their bounds are checked. */
type Visit = ((node: LeafNode) => void) | undefined;

/**
 * Says what is wrong with an LMDB data file, or undefined when LMDB can open it safely.
 *
 * **Contract**: only reads. Another process may write at the same time: a fault counts only if nothing was
 * committed while it was found. Throws what the file system throws.
 */
export function findLmdbFault(path: string): string | undefined {
	// Upstream: LMDB files are in the byte order of their machine; only little-endian is known here.
	if (endianness() !== "LE") return undefined;
	const fd = openSync(path, "r");
	try {
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			let before: bigint | undefined;
			try {
				const snapshot = readSnapshot(fd);
				before = snapshot.transaction;
				checkSnapshot(snapshot);
				return undefined;
			} catch (thrown) {
				if (!(thrown instanceof Broken)) throw thrown;
				if (newestTransaction(fd) === before) return thrown.message;
			}
		}
		// A process that commits again and again has the file open and can read it.
		return undefined;
	} finally {
		closeSync(fd);
	}
}

function newestTransaction(fd: number): bigint | undefined {
	try {
		return readSnapshot(fd).transaction;
	} catch (thrown) {
		if (thrown instanceof Broken) return undefined;
		throw thrown;
	}
}

function checkSnapshot(snapshot: Snapshot): void {
	const seen = new Set<number>();
	walk(snapshot, snapshot.free, seen, (node) => checkFreeList(snapshot, node));
	walk(snapshot, snapshot.main, seen, (node) => {
		if ((node.flags & SUB_TREE) === 0) return;
		const record = node.read();
		if (record.length !== DB_RECORD) throw new Broken("a table's record has the wrong size");
		walk(snapshot, readTree(record, 0), seen, undefined);
	});
}

function walk(snapshot: Snapshot, tree: Tree, seen: Set<number>, visit: Visit): void {
	if (tree.root === NO_PAGE) return;
	if (tree.depth < 1 || tree.depth > MAX_DEPTH) throw new Broken(`a table is ${tree.depth} levels deep`);
	walkPage(snapshot, { number: tree.root, levelsLeft: tree.depth }, seen, visit);
}

function walkPage(
	snapshot: Snapshot,
	at: { readonly number: bigint; readonly levelsLeft: number },
	seen: Set<number>,
	visit: Visit,
): void {
	const page = readPage(snapshot, at.number, seen, snapshot.pageSize);
	const expected = at.levelsLeft === 1 ? LEAF : BRANCH;
	if (page.readUInt16LE(18) !== expected) throw new Broken(`page ${at.number} is of the wrong kind`);
	const lower = page.readUInt16LE(20);
	const upper = page.readUInt16LE(22);
	if (lower === 0 || lower % 2 !== 0 || lower > upper || upper > snapshot.pageSize - PAGE_HEADER) {
		throw new Broken(`page ${at.number} has impossible bounds`);
	}
	for (let index = 0; index < lower / 2; index++) {
		const offset = page.readUInt16LE(PAGE_HEADER + index * 2);
		const node = PAGE_HEADER + offset;
		if (offset < upper || node + NODE_HEADER > page.length) throw new Broken(`page ${at.number} points outside itself`);
		const value = node + NODE_HEADER + page.readUInt16LE(node + 6);
		if (expected === LEAF) checkLeafNode(snapshot, { page, node, value }, seen, visit);
		else {
			if (value > page.length) throw new Broken(`page ${at.number} has a cut key`);
			const child = BigInt(page.readUInt32LE(node)) | (BigInt(page.readUInt16LE(node + 4)) << 32n);
			walkPage(snapshot, { number: child, levelsLeft: at.levelsLeft - 1 }, seen, visit);
		}
	}
}

function checkLeafNode(
	snapshot: Snapshot,
	at: { readonly page: Buffer; readonly node: number; readonly value: number },
	seen: Set<number>,
	visit: Visit,
): void {
	const { page, node, value } = at;
	const size = page.readUInt32LE(node);
	const flags = page.readUInt16LE(node + 4);
	const keyLength = page.readUInt16LE(node + 6);
	const isBig = (flags & BIG_DATA) !== 0;
	const end = value + (isBig ? 24 : size);
	if (keyLength === 0 || end > page.length || flags > (visit ? BIG_DATA | SUB_TREE : BIG_DATA)) {
		throw new Broken("an entry reaches outside its page");
	}
	if (isBig) {
		const first = checkBigValue(snapshot, page.subarray(value, end), size, seen);
		visit?.({ flags, keyLength, read: () => readBytes(snapshot.fd, first * snapshot.pageSize + PAGE_HEADER, size) });
	} else visit?.({ flags, keyLength, read: () => page.subarray(value, end) });
}

/** Checks the pages of a value that is too long for its entry; returns the first one's number. */
function checkBigValue(snapshot: Snapshot, pointer: Buffer, size: number, seen: Set<number>): number {
	const number = pointer.readBigUInt64LE(0);
	const pages = pointer.readBigUInt64LE(16);
	const header = readPage(snapshot, number, seen, PAGE_HEADER);
	if (header.readUInt16LE(18) !== OVERFLOW) throw new Broken(`page ${number} is of the wrong kind`);
	const needed = Math.ceil((PAGE_HEADER + size) / snapshot.pageSize);
	if (pages !== BigInt(needed) || header.readUInt32LE(20) !== needed) {
		throw new Broken(`the value at page ${number} has an impossible length`);
	}
	const last = Number(number) + needed - 1;
	if (last > snapshot.lastPage || (last + 1) * snapshot.pageSize > snapshot.fileSize) {
		throw new Broken("the file is cut short");
	}
	return Number(number);
}

/** A list of free pages: a count, then page numbers, or minus a length followed by the first page of a block. */
function checkFreeList(snapshot: Snapshot, node: LeafNode): void {
	const list = node.read();
	if (node.keyLength !== 8 || list.length < 8) throw new Broken("the list of free pages is damaged");
	const count = list.readBigUInt64LE(0);
	if (count * 8n + 8n > BigInt(list.length)) throw new Broken("the list of free pages is cut");
	for (let index = 1; index <= Number(count); index++) {
		const entry = list.readBigInt64LE(index * 8);
		const length = entry < 0n ? -entry : 1n;
		if (entry < 0n) index += 1;
		if (index > Number(count)) break;
		const page = entry < 0n ? list.readBigInt64LE(index * 8) : entry;
		if (entry !== 0n && (page < 2n || page + length - 1n > BigInt(snapshot.lastPage))) {
			throw new Broken("the list of free pages names impossible ones");
		}
	}
}
