import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * Keeps each module's own location, so that it finds files beside it and in its node_modules. Imports whose target is
 * known only at run time go through a separate file, because compiled scripts cannot import.
 */
export function asIfUnbundled({ home, outdir }) {
  return {
    name: "as-if-unbundled",
    resolveId: {
      filter: { id: /^(haft:places|\.\/import-module\.cjs)$/ },
      handler: (id) => (id === PLACES ? `\0${PLACES}` : { id, external: true }),
    },
    load: {
      filter: { id: /^\0haft:places$/ },
      handler: () => PLACES_SOURCE,
    },
    transform: {
      filter: { id: /[/\\]src[/\\].*\.ts$/, code: NEEDS_CARE },
      handler(code, id) {
        return {
          code: `import { bundleUrl, importModule, installedUrl } from "${PLACES}"; ${code
            .replaceAll("import.meta.url", () => urlOf(id, { home, outdir }))
            .replaceAll(UNKNOWN_IMPORT, "importModule(")}`,
          map: null,
        };
      },
    },
    generateBundle(_options, output) {
      const outside = Object.values(output)
        .flatMap(({ dynamicImports = [] }) => dynamicImports)
        .find((name) => !(name in output || name.startsWith("node:")));
      if (outside !== undefined) {
        this.error(`import("${outside}") would fail in a compiled script: see tooling/bundle`);
      }
    },
  };
}

export const IMPORT_MODULE = "exports.importModule = (specifier) => import(specifier);\n";

const PLACES = "haft:places";

/** Works in every file of a bundle, because they are all in one folder. */
const PLACES_SOURCE = `
import { pathToFileURL } from "node:url";
export const bundleUrl = pathToFileURL(__filename).href;
export const installedUrl = (name, file) => new URL(file, pathToFileURL(require.resolve(name + "/package.json"))).href;
export const importModule = (specifier) => require("./import-module.cjs").importModule(specifier);
`;

const UNKNOWN_IMPORT = /\bimport\((?:\/\* @vite-ignore \*\/ ?|(?="just-bash"))/g;
const NEEDS_CARE = new RegExp(`import\\.meta\\.url|${UNKNOWN_IMPORT.source}`);

/** Returns an expression for the file of a module: relative to the bundle, or where its package is installed. */
function urlOf(module, { home, outdir }) {
  const path = module.replace(/([/\\])src([/\\].*)\.ts$/, "$1dist$2.js");
  const folder = packageFolder(dirname(path));
  if (folder === home) return `new URL(${quote(relative(outdir, path))}, bundleUrl).href`;
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `installedUrl(${quote(name)}, ${quote(relative(folder, path))})`;
}

function packageFolder(folder) {
  return existsSync(join(folder, "package.json")) ? folder : packageFolder(dirname(folder));
}

function quote(path) {
  return JSON.stringify(path.split(sep).join("/"));
}
