import { createRequire } from "node:module";
import { functionsOf, standIn } from "./stand-in.mjs";

/** Parts of Node that take milliseconds to load and that most processes never call. */
export const ON_FIRST_USE = /^node:(child_process|crypto|dns|http|net|tls|zlib)$/;

/**
 * Defers Node's rarely used built-in modules until one of their functions is called, because every process loads them
 * again.
 */
export function builtinsOnFirstUse() {
  return {
    name: "builtins-on-first-use",
    resolveId: {
      filter: { id: ON_FIRST_USE },
      handler: (id, importer) => (mayWait(id, importer) ? `\0first-use:${id}` : null),
    },
    load: {
      filter: { id: /^\0first-use:/ },
      handler(id) {
        const name = id.slice(id.indexOf(":") + 1);
        return `${IMPORTS}${standIn(functionsOf(require(name)), `createRequire(process.execPath)("${name}")`)}`;
      },
    },
  };
}

/** Third-party servers use more of node:http than its functions, and use it as soon as they are loaded. */
function mayWait(id, importer) {
  return id !== "node:http" || !importer?.includes("node_modules");
}

/** Any path works for requiring parts of Node. Some supported releases lack `process.getBuiltinModule`. */
const IMPORTS = 'import { createRequire } from "node:module";';

const require = createRequire(import.meta.url);
