// The pages of an LMDB data file as bytes: its two headers, and one page by its number. Only reads.
// Layout: mdb.c of the LMDB that lmdb 3.5 bundles (magic 0xbeefc0de, data version 2), little-endian.

import { fstatSync, readSync } from "node:fs";

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const META = 0x08;
/** Bytes of a page's own header; entries lie behind it. */
export const PAGE_HEADER = 24;

/** Something that LMDB would trip over; the message says what. */
export class Broken extends Error {}

/** The root of one B-tree; `root` is NO_PAGE for an empty one. */
export interface Tree {
	readonly depth: number;
	readonly root: bigint;
}
export const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** The newest committed state of the file. */
export interface Snapshot {
	readonly fd: number;
	readonly pageSize: number;
	readonly fileSize: number;
	readonly lastPage: number;
	readonly transaction: bigint;
	readonly free: Tree;
	readonly main: Tree;
}

/** @throws Broken when the headers cannot be those of an LMDB file. */
export function readSnapshot(fd: number): Snapshot {
	const fileSize = fstatSync(fd).size;
	const first = readBytes(fd, 0, PAGE_HEADER + 160);
	const pageSize = first.readUInt32LE(48);
	checkMeta(first, 0);
	if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
		throw new Broken(`its page size of ${pageSize} is impossible`);
	}
	const second = readBytes(fd, pageSize, PAGE_HEADER + 160);
	checkMeta(second, 1);
	const newest = first.readBigUInt64LE(152) >= second.readBigUInt64LE(152) ? 0 : 1;
	const meta = newest === 0 ? first : second;
	const transaction = meta.readBigUInt64LE(152);
	const lastPage = meta.readBigUInt64LE(144);
	// Invariant: LMDB finds a transaction's meta page by the number's lowest bit.
	if (Number(transaction & 1n) !== newest) throw new Broken("its two headers disagree");
	if (lastPage < 1n || lastPage > 0xffff_ffffn) throw new Broken(`its last page ${lastPage} is impossible`);
	return {
		fd,
		pageSize,
		fileSize,
		lastPage: Number(lastPage),
		transaction,
		free: readTree(meta, 48),
		main: readTree(meta, 96),
	};
}

function checkMeta(page: Buffer, index: number): void {
	if (page.readUInt32LE(24) !== MAGIC || (page.readUInt16LE(18) & META) === 0) {
		throw new Broken(`header ${index} is not one of a state file`);
	}
	const version = page.readUInt32LE(28) & 0xffff;
	if (version !== DATA_VERSION) throw new Broken(`header ${index} has the unknown layout version ${version}`);
	if (page.readBigUInt64LE(40) > 1n << 47n) throw new Broken(`header ${index} has an impossible map size`);
}

/** The tree that the 48-byte record at `offset` describes. */
export const readTree = (bytes: Buffer, offset: number): Tree => ({
	depth: bytes.readUInt16LE(offset + 6),
	root: bytes.readBigUInt64LE(offset + 40),
});

/** Reads a page, or its first `bytes`. `seen` holds the pages read before: none may be met twice. */
export function readPage(snapshot: Snapshot, number: bigint, seen: Set<number>, bytes: number): Buffer {
	if (number < 2n || number > BigInt(snapshot.lastPage)) throw new Broken(`it refers to the impossible page ${number}`);
	if (seen.has(Number(number))) throw new Broken(`page ${number} is used twice`);
	seen.add(Number(number));
	const page = readBytes(snapshot.fd, Number(number) * snapshot.pageSize, bytes);
	// Invariant: a page is stamped with its own number and with the transaction that wrote it.
	if (page.readBigUInt64LE(0) !== number || page.readBigUInt64LE(8) > snapshot.transaction) {
		throw new Broken(`page ${number} holds something else`);
	}
	return page;
}

export function readBytes(fd: number, position: number, length: number): Buffer {
	const bytes = Buffer.allocUnsafe(length);
	let done = 0;
	while (done < length) {
		const read = readSync(fd, bytes, done, length - done, position + done);
		if (read === 0) throw new Broken("the file is cut short");
		done += read;
	}
	return bytes;
}
