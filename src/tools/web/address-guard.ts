// Which network addresses web_fetch may talk to: public ones. Everything else can be a service of this machine or
// network that trusts whoever reaches it (https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-).

import type { LookupAddress, LookupOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { ToolError } from "../definition.ts";

const NOT_PUBLIC: readonly [net: string, prefix: number, family: "ipv4" | "ipv6"][] = [
	["0.0.0.0", 8, "ipv4"],
	["10.0.0.0", 8, "ipv4"],
	["100.64.0.0", 10, "ipv4"],
	["127.0.0.0", 8, "ipv4"],
	["169.254.0.0", 16, "ipv4"],
	["172.16.0.0", 12, "ipv4"],
	["192.0.0.0", 24, "ipv4"],
	["192.0.2.0", 24, "ipv4"],
	["192.168.0.0", 16, "ipv4"],
	["198.18.0.0", 15, "ipv4"],
	["198.51.100.0", 24, "ipv4"],
	["203.0.113.0", 24, "ipv4"],
	["224.0.0.0", 4, "ipv4"],
	["240.0.0.0", 4, "ipv4"],
	["::", 96, "ipv6"],
	["64:ff9b:1::", 48, "ipv6"],
	["100::", 64, "ipv6"],
	["2001:db8::", 32, "ipv6"],
	["2002::", 16, "ipv6"],
	["fc00::", 7, "ipv6"],
	["fe80::", 10, "ipv6"],
	["fec0::", 10, "ipv6"],
	["ff00::", 8, "ipv6"],
];

const notPublic = new BlockList();
for (const [net, prefix, family] of NOT_PUBLIC) notPublic.addSubnet(net, prefix, family);

/** Whether an address belongs to the public internet; false for what is no address at all. */
export function isPublicAddress(address: string): boolean {
	const plain = address.replace(/%.*$/, "");
	switch (isIP(plain)) {
		case 4:
			return !notPublic.check(plain, "ipv4");
		case 6:
			return isPublicV6(plain);
		default:
			return false;
	}
}

function isPublicV6(address: string): boolean {
	// The URL parser writes every spelling of an address in one way.
	const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
	const inside = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(spelled);
	if (!inside) return !notPublic.check(spelled, "ipv6");
	// An IPv4 address in an IPv6 one (mapped, or for NAT64) is judged as what it is.
	const [high, low] = [Number.parseInt(inside[1] ?? "0", 16), Number.parseInt(inside[2] ?? "0", 16)];
	return !notPublic.check(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`, "ipv4");
}

/** The error for a host that may not be asked. */
export function notPublicError(host: string, address: string): ToolError {
	const where = host === address ? host : `${host} (${address})`;
	return new ToolError(`Error: ${where} is not a public address; web_fetch is limited to the public internet`);
}

/** As `dns.lookup` with `all`. */
export type ResolveHost = (
	host: string,
	options: LookupOptions & { readonly all: true },
	callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for `http.request` that refuses a name with any address that is not public. The connection is made to the
 * very addresses that were checked, so a name that changes its answer gains nothing.
 */
export function guardedLookup(resolveHost: ResolveHost): LookupFunction {
	return (host, options, callback) => {
		resolveHost(host, { ...options, all: true }, (error, addresses) => {
			if (error) return callback(error, "", 0);
			const hidden = addresses.find(({ address }) => !isPublicAddress(address));
			if (hidden) return callback(notPublicError(host, hidden.address), "", 0);
			const first = addresses[0];
			if (!first) return callback(new Error(`${host} has no address`), "", 0);
			if (options.all) return callback(null, addresses);
			callback(null, first.address, first.family);
		});
	};
}
