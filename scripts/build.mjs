// npm run build: the whole of dist, declarations included, whether or not it is up to date.

import { makeReady } from "./ready/main.mjs";
import { failWith } from "./ready/report.mjs";

makeReady({ types: true, force: true }).catch(failWith);
