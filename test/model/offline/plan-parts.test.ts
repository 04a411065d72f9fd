import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scopeHolds } from "../../../src/model/offline/parts.ts";
import { planParts } from "../../../src/model/offline/plan-parts.ts";
import { groupFiles } from "../../../src/model/offline/tree.ts";

function plan(files: readonly string[]) {
	const below = (folder: string) => files.filter((file) => folder === "" || file.startsWith(`${folder}/`));
	const plan = planParts("/w", (folder) => groupFiles(folder, below(folder)));
	if (!plan) throw new Error("the whole tree is known");
	return plan;
}

const namesOf = (files: readonly string[]) => plan(files).parts.map((part) => part.name);

describe("the plan of a survey", () => {
	it("makes a part of every top-level folder and one of the files in the root, biggest first", () => {
		const files = ["a/1", "b/1", "b/x/2", "b/3", "c/1", "c/2", "README.md"];
		expect(namesOf(files)).toEqual(["b", "c", "(root files)", "a"]);
	});

	it("splits the biggest folder while there are fewer than four parts", () => {
		const files = ["src/app/1", "src/app/2", "src/lib/1", "src/index.ts", "test/1"];
		expect(namesOf(files)).toEqual(["src/app", "src (files)", "src/lib", "test"]);
	});

	it("goes down a chain of single folders to where the files divide", () => {
		const files = ["src/main/java/com/acme/cart/A", "src/main/java/com/acme/cart/B", "src/main/java/com/acme/web/C"];
		expect(namesOf(files)).toEqual(["src/main/java/com/acme/cart", "src/main/java/com/acme/web"]);
	});

	it("leaves a folder whole that cannot be split", () => {
		expect(namesOf(["src/lib/a.ts", "src/lib/b.ts", "README.md"])).toEqual(["src", "(root files)"]);
	});

	it("lets the smallest share one part beyond sixteen, and says which", () => {
		const files = Array.from({ length: 20 }, (_, at) =>
			Array.from({ length: 20 - at }, (_, file) => `f${String(at).padStart(2, "0")}/${file}`),
		).flat();
		const { parts, grouped } = plan(files);
		expect(parts.length).toBe(16);
		expect(parts[0]?.name).toBe("f00");
		expect(parts[15]).toMatchObject({
			name: "rest (5 small parts)",
			scopes: [{ path: "f15" }, {}, {}, {}, { path: "f19" }],
		});
		expect(grouped).toEqual(["f15", "f16", "f17", "f18", "f19"]);
	});

	it("is empty for an empty tree", () => {
		expect(plan([])).toEqual({ parts: [], grouped: [] });
	});

	it("waits while a folder that matters is not known", () => {
		expect(planParts("/w", () => undefined)).toBeUndefined();
		const known = groupFiles("", ["src/a/1", "src/b/1"]);
		expect(planParts("/w", (folder) => (folder === "" ? known : undefined))).toBeUndefined();
	});

	it("gives every file to exactly one part", () => {
		const name = fc.constantFrom("a", "b", "c", "d", "e", "src");
		const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `${names.join("/")}.ts`);
		fc.assert(
			fc.property(fc.uniqueArray(path, { maxLength: 60 }), (files) => {
				const { parts } = plan(files);
				expect(parts.length).toBeLessThanOrEqual(16);
				for (const file of files) {
					const owners = parts.filter((part) => part.scopes.some((scope) => scopeHolds(scope, file)));
					expect(owners.length).toBe(1);
				}
			}),
		);
	});
});
