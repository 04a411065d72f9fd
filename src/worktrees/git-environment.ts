// Variables that git itself clears when it goes to another repository (`git rev-parse --local-env-vars`): with them,
// whatever started us (a git hook, an alias) would decide in which repository a command works.

const OF_ONE_REPOSITORY: ReadonlySet<string> = new Set([
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_PARAMETERS",
	"GIT_DIR",
	"GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_NAMESPACE",
	"GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_QUARANTINE_PATH",
	"GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
]);

/** The environment without what ties git to one repository. */
export function withoutRepository<Value extends string | undefined>(
	env: Readonly<Record<string, Value>>,
): Record<string, Value> {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ONE_REPOSITORY.has(name)));
}
