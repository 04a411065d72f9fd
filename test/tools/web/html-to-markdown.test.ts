import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../../../src/tools/web/html-to-markdown.ts";

describe("htmlToMarkdown", () => {
	it("keeps headings, links, lists and code, and the title apart", async () => {
		const page = await htmlToMarkdown(
			`<html><head><title>A &amp; B</title><style>p{}</style></head><body><h1>Top</h1>
			<p>See <a href="/x">this</a> &lt;now&gt;.</p><ul><li>one</li><li>two</li></ul>
			<pre><code>let a = 1;</code></pre><script>alert("<p>no</p>")</script></body></html>`,
		);
		expect(page).toEqual({
			title: "A & B",
			markdown: "# Top\n\nSee [this](/x) <now>.\n\n-   one\n-   two\n\n```\nlet a = 1;\n```",
			cut: false,
		});
	});

	it("drops everything after a script that never ends", async () => {
		expect((await htmlToMarkdown("<p>seen</p><script>if (a < b) <p>unseen</p>")).markdown).toBe("seen");
	});

	it("reads a page nested deeper than is sane as plain text", async () => {
		const { markdown } = await htmlToMarkdown(`${"<div>".repeat(50_000)}deep &amp; down${"</div>".repeat(50_000)}`);
		expect(markdown).toBe("deep & down");
	});

	it("converts only the start of a very long page, and says so", async () => {
		const { markdown, cut } = await htmlToMarkdown(`<p>start</p>${"<!-- filler -->".repeat(70_000)}<p>end</p>`);
		expect(markdown).toBe("start");
		expect(cut).toBe(true);
	});
});
