// Which of the host's own Node flags its threads get. Upstream: a thread inherits all of them, and one from a host that
// was started with --input-type (a program as text, by -e or on stdin) does not start: the flag is for such texts only.

/** Flags that say how modules are found and loaded; what a thread refuses (V8's flags, a title) is left out. */
const FOR_THREADS =
	/^(?:--import|--require|-r|--(?:experimental-)?loader|--conditions|-C|--enable-source-maps|--no-warnings|--disable-warning|--preserve-symlinks(?:-main)?|--(?:no-)?experimental-(?:strip|transform)-types)(?:=|$)/;
const TAKES_VALUE = new Set([
	"--import",
	"--require",
	"-r",
	"--loader",
	"--experimental-loader",
	"--conditions",
	"-C",
	"--disable-warning",
]);

/** For a Worker's `execArgv`; undefined where it may inherit everything, as threads do by themselves. */
export function threadExecArgv(ofHost: readonly string[] = process.execArgv): string[] | undefined {
	if (!ofHost.some((flag) => flag.startsWith("--input-type"))) return undefined;
	return ofHost.flatMap((flag, index) => {
		if (TAKES_VALUE.has(ofHost[index - 1] ?? "")) return [flag];
		return FOR_THREADS.test(flag) ? [flag] : [];
	});
}
