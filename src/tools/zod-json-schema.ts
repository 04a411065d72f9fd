// A file of its own, so that loading it late brings this one function of zod and not all of it.
export { toJSONSchema } from "zod/v4/core";
