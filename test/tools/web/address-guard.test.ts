import { describe, expect, it } from "vitest";
import { guardedLookup, isPublicAddress, type ResolveHost } from "../../../src/tools/web/address-guard.ts";

describe("isPublicAddress", () => {
	it.each(["8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
		"accepts %s",
		(address) => expect(isPublicAddress(address)).toBe(true),
	);

	it.each([
		"127.0.0.1",
		"127.255.255.254",
		"0.0.0.0",
		"10.1.2.3",
		"100.64.0.1",
		"169.254.169.254",
		"172.16.0.1",
		"172.31.255.255",
		"192.168.1.1",
		"198.18.0.1",
		"224.0.0.1",
		"255.255.255.255",
		"::",
		"::1",
		"fe80::1",
		"fe80::1%eth0",
		"fc00::1",
		"fd12:3456::1",
		"ff02::1",
		"::ffff:127.0.0.1",
		"::ffff:7f00:1",
		"::ffff:a9fe:a9fe",
		"64:ff9b::7f00:1",
		"64:ff9b::a00:1",
		"2002:7f00:1::",
		"localhost",
		"",
	])("refuses %s", (address) => expect(isPublicAddress(address)).toBe(false));
});

describe("guardedLookup", () => {
	const lookup = (addresses: readonly string[], all: boolean) => {
		const resolveHost: ResolveHost = (_host, _options, callback) =>
			callback(
				null,
				addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
			);
		return new Promise((resolve) => {
			guardedLookup(resolveHost)("host.example", { all }, (error, address, family) =>
				resolve(error ? error.message : [address, family]),
			);
		});
	};

	it("passes public addresses on in the shape that was asked for", async () => {
		expect(await lookup(["8.8.8.8", "2606:4700::1111"], false)).toEqual(["8.8.8.8", 4]);
		expect(await lookup(["8.8.8.8"], true)).toEqual([[{ address: "8.8.8.8", family: 4 }], undefined]);
	});

	it("refuses a name with any address that is not public", async () => {
		expect(await lookup(["8.8.8.8", "10.0.0.1"], true)).toBe(
			"Error: host.example (10.0.0.1) is not a public address; web_fetch is limited to the public internet",
		);
	});

	it("says that a name has no address", async () => {
		expect(await lookup([], true)).toBe("host.example has no address");
	});
});
