// What the rules know of languages. The patterns go to ripgrep as they stand and are used here as JavaScript
// expressions on its result lines, so they keep to the syntax both understand.

export interface Language {
	readonly name: string;
	readonly extensions: readonly string[];
	/** Lines that make something visible to other files. */
	readonly exports?: string;
	/** Lines a program starts at. */
	readonly entry?: string;
	/** Lines that import; what they import is read by find-imports.ts. */
	readonly imports?: string;
	readonly importStyle?: ImportStyle;
}

export type ImportStyle = "javascript" | "python" | "go" | "rust" | "dotted" | "include" | "ruby" | "source";

const JAVASCRIPT = {
	exports: String.raw`^(export\b|module\.exports\b|exports\.[A-Za-z_$])`,
	imports: String.raw`\b(from|import|require)\b\s*\(?\s*['"][^'"]+['"]`,
	importStyle: "javascript",
} as const;

const DOTTED_IMPORT = String.raw`^import\s+(static\s+)?[A-Za-z_][A-Za-z0-9_.]*`;
const C_MAIN = String.raw`^(int|void)\s+main\s*\(`;
const C_INCLUDE = String.raw`^\s*#\s*include\s*"`;

export const LANGUAGES: readonly Language[] = [
	{ name: "TypeScript", extensions: ["ts", "tsx", "mts", "cts"], ...JAVASCRIPT },
	{ name: "JavaScript", extensions: ["js", "jsx", "mjs", "cjs"], ...JAVASCRIPT },
	{ name: "Vue", extensions: ["vue"], imports: JAVASCRIPT.imports, importStyle: "javascript" },
	{ name: "Svelte", extensions: ["svelte"], imports: JAVASCRIPT.imports, importStyle: "javascript" },
	{
		name: "Python",
		extensions: ["py", "pyi"],
		exports: String.raw`^(def|class|async\s+def)\s+[A-Za-z]`,
		entry: String.raw`^if\s+__name__\s*==\s*['"]__main__['"]`,
		imports: String.raw`^\s*(from\s+[A-Za-z0-9_.]+\s+import\b|import\s+[A-Za-z_])`,
		importStyle: "python",
	},
	{
		name: "Go",
		extensions: ["go"],
		exports: String.raw`^(func\s+(\([^)]*\)\s*)?|type\s+|var\s+|const\s+)[A-Z]`,
		entry: String.raw`^func\s+main\s*\(`,
		imports: String.raw`^\s*(import\s+)?([A-Za-z0-9_.]+\s+)?"[A-Za-z0-9_.~/-]+"\s*(//.*)?$`,
		importStyle: "go",
	},
	{
		name: "Rust",
		extensions: ["rs"],
		exports: String.raw`^\s*pub\s+(async\s+|unsafe\s+|const\s+)*(fn|struct|enum|trait|type|mod|static|const|use|union)\b`,
		entry: String.raw`^(async\s+)?fn\s+main\s*\(`,
		imports: String.raw`^\s*(pub\s+)?use\s+[A-Za-z_][A-Za-z0-9_]*::`,
		importStyle: "rust",
	},
	{
		name: "Java",
		extensions: ["java"],
		exports: String.raw`^\s*public\s+(abstract\s+|final\s+|sealed\s+|static\s+)*(class|interface|enum|record|@interface)\b`,
		entry: String.raw`\bpublic\s+static\s+void\s+main\s*\(`,
		imports: DOTTED_IMPORT,
		importStyle: "dotted",
	},
	{
		name: "Kotlin",
		extensions: ["kt", "kts"],
		exports: String.raw`^(public\s+|open\s+|abstract\s+|sealed\s+|data\s+|suspend\s+|inline\s+)*(class|interface|object|fun)\s`,
		entry: String.raw`^(suspend\s+)?fun\s+main\s*\(`,
		imports: DOTTED_IMPORT,
		importStyle: "dotted",
	},
	{
		name: "Scala",
		extensions: ["scala"],
		exports: String.raw`^(abstract\s+|final\s+|sealed\s+|case\s+)*(class|trait|object)\s`,
		imports: DOTTED_IMPORT,
		importStyle: "dotted",
	},
	{
		name: "C#",
		extensions: ["cs"],
		exports: String.raw`^\s*public\s+(abstract\s+|sealed\s+|static\s+|partial\s+)*(class|interface|struct|enum|record)\b`,
		entry: String.raw`\bstatic\s+(async\s+)?(void|int|Task)\S*\s+Main\s*\(`,
	},
	{ name: "C", extensions: ["c", "h"], entry: C_MAIN, imports: C_INCLUDE, importStyle: "include" },
	{
		name: "C++",
		extensions: ["cc", "cpp", "cxx", "hh", "hpp", "hxx"],
		entry: C_MAIN,
		imports: C_INCLUDE,
		importStyle: "include",
	},
	{
		name: "Ruby",
		extensions: ["rb"],
		exports: String.raw`^\s*(class|module)\s+[A-Z]`,
		imports: String.raw`^\s*require(_relative)?\s*\(?\s*['"]`,
		importStyle: "ruby",
	},
	{
		name: "PHP",
		extensions: ["php"],
		exports: String.raw`^\s*(abstract\s+|final\s+)*(class|interface|trait|enum|function)\s+[A-Za-z]`,
	},
	{ name: "Swift", extensions: ["swift"], exports: String.raw`^\s*(public|open)\s`, entry: "^@main" },
	{
		name: "Shell",
		extensions: ["sh", "bash", "zsh"],
		imports: String.raw`^\s*(source|\.)\s+\S`,
		importStyle: "source",
	},
	...named({
		Markdown: "md mdx markdown",
		"plain text": "txt",
		reStructuredText: "rst",
		AsciiDoc: "adoc asciidoc",
		HTML: "html htm",
		CSS: "css scss sass less",
		JSON: "json jsonc json5 jsonl",
		YAML: "yml yaml",
		TOML: "toml",
		XML: "xml xsd xsl",
		SQL: "sql",
		CSV: "csv tsv",
		Lua: "lua",
		Perl: "pl pm",
		R: "r",
		Dart: "dart",
		Elixir: "ex exs",
		Erlang: "erl hrl",
		Haskell: "hs",
		Clojure: "clj cljs cljc edn",
		Zig: "zig",
		"Protocol Buffers": "proto",
		GraphQL: "graphql gql",
		Terraform: "tf",
		SVG: "svg",
		images: "png jpg jpeg gif webp ico bmp",
		archives: "zip gz tgz tar xz bz2 zst 7z",
	}),
];

/** Every file may say how it is started in its first line. */
export const SHEBANG = "^#!\\s*/";
/** What a package.json offers to others. */
export const PACKAGE_ENTRY = String.raw`^\s{0,4}"(main|module|bin|exports)"\s*:`;

const BY_EXTENSION = new Map(
	LANGUAGES.flatMap((language) => language.extensions.map((key) => [key, language] as const)),
);
const BY_NAME = new Map([
	["makefile", "Makefile"],
	["dockerfile", "Dockerfile"],
	["license", "plain text"],
	["readme", "plain text"],
]);

/** The language a path's extension stands for. */
export function languageOf(path: string): Language | undefined {
	return BY_EXTENSION.get(extensionOf(path));
}

/** What to call the kind of file in a report. */
export function languageNameOf(path: string): string {
	const known = languageOf(path)?.name ?? BY_NAME.get(baseName(path).toLowerCase());
	if (known) return known;
	const extension = extensionOf(path);
	return extension ? `.${extension} files` : "no extension";
}

function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

function extensionOf(path: string): string {
	const name = baseName(path);
	const dot = name.lastIndexOf(".");
	return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

function named(extensionsByName: Readonly<Record<string, string>>): Language[] {
	return Object.entries(extensionsByName).map(([name, extensions]) => ({ name, extensions: extensions.split(" ") }));
}
