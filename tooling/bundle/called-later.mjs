import { readFileSync } from "node:fs";

/** The file of modules that are loaded when one of their functions is called. */
const FILE = "./later.cjs";
const STAND_IN = "\0later:";

/** The entry of that file. */
export const LATER = "haft-later";

/** Loads `modules`, which export only functions, together, on the first call of one of them. */
export function calledLater(modules) {
  const numbers = new Map(modules.map((path, index) => [path, index]));
  return {
    name: "called-later",
    resolveId: {
      filter: { id: /^[^\0]/ },
      async handler(id, importer, { kind }) {
        if (id === FILE) return { id, external: true };
        if (id === LATER) return `\0${LATER}`;
        // A later module imports the others directly, as does the entry.
        if (importer === undefined || importer.startsWith("\0") || numbers.has(importer)) return null;
        if (kind === "dynamic-import") return null;
        const resolved = await this.resolve(id, importer, { skipSelf: true, kind });
        return numbers.has(resolved?.id) ? `${STAND_IN}${resolved.id}` : resolved;
      },
    },
    load: {
      filter: { id: /^\0(later:|haft-later)/ },
      handler(id) {
        if (id === `\0${LATER}`) return modules.map(exported).join("\n");
        const path = id.slice(STAND_IN.length);
        return standIns(namesIn(path), numbers.get(path));
      },
    },
  };
}

function exported(path, index) {
  const names = namesIn(path).map((name) => `${name} as ${name}_${index}`);
  return `export { ${names.join(", ")} } from ${JSON.stringify(path)};`;
}

/** Plain functions, because V8 inlines them where a proxy would cost every call. */
function standIns(names, index) {
  const functions = names.map(
    (name) =>
      `export function ${name}(...args) { return (loaded ??= require("${FILE}")).${name}_${index}(...args); }`,
  );
  return `let loaded;\n${functions.join("\n")}`;
}

function namesIn(path) {
  const source = readFileSync(path, "utf8");
  return [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name);
}
