import { createRequire } from "node:module";
import { functionsOf, standIn } from "./stand-in.mjs";

/** Parts of Node that take milliseconds to load, while most processes call none of their functions. */
const ON_FIRST_USE = /^node:(child_process|crypto|net)$/;

/** Node loads parts of itself anew in every process: those that are rarely called wait until one of their functions is. */
export function builtinsOnFirstUse() {
  return {
    name: "builtins-on-first-use",
    resolveId: {
      filter: { id: ON_FIRST_USE },
      handler: (id) => `\0first-use:${id}`,
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

/** Parts of Node are found from anywhere; `process.getBuiltinModule` is younger than some Nodes that the command runs on. */
const IMPORTS = 'import { createRequire } from "node:module";';

const require = createRequire(import.meta.url);
