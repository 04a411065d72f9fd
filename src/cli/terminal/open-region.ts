// **Cost**: what measures how wide text is on a terminal takes 40 ms to load; it is loaded for a terminal only.

import { type LiveRegion, plainRegion } from "./region.ts";

export async function openRegion(stream: NodeJS.WriteStream): Promise<LiveRegion> {
	if (stream.isTTY !== true) return plainRegion(stream);
	const { createLiveRegion } = await import("./live-region.ts");
	return createLiveRegion(stream);
}
