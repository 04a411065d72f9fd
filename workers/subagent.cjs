// Entry of a pool thread, in CommonJS on purpose: piscina requires its file, and a thread that is terminated while it
// requires an ES module aborts the whole process ("v8::Module::IsGraphAsync must be used on an instantiated module",
// Node 20 to 24). Importing it has no such gap. Piscina waits for the promise before it calls the thread ready.

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const built = join(__dirname, "subagent.worker.js");
const entry = existsSync(built) ? built : join(__dirname, "subagent.worker.ts");

exports.runAgent = import(pathToFileURL(entry).href).then((module) => module.runAgent);
