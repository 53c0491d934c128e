import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * A module still sees its own place on disk, so that what it looks for beside it or in its node_modules is found,
 * and an import whose target is not known before it runs is done by a file, because compiled scripts cannot.
 */
export function asIfUnbundled({ home, outdir }) {
  return {
    name: "as-if-unbundled",
    setup(builder) {
      builder.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        if (!NEEDS_CARE.test(source)) return undefined;
        return {
          contents: source
            .replaceAll("import.meta.url", () => urlOf(path, { home, outdir }))
            .replaceAll(UNKNOWN_IMPORT, "importModule("),
          loader: "ts",
        };
      });
      builder.onEnd(({ metafile }) => ({ errors: importsLeft(metafile).map((text) => ({ text })) }));
    },
  };
}

/** What the transformed modules use, for the head of the bundle. */
export const BANNER = `
const bundleUrl = require("node:url").pathToFileURL(__filename).href;
const installedUrl = (name, file) =>
  new URL(file, require("node:url").pathToFileURL(require.resolve(name + "/package.json"))).href;
const importModule = (specifier) => require("./lib/import-module.cjs").importModule(specifier);
`;

export const IMPORT_MODULE = "exports.importModule = (specifier) => import(specifier);\n";

const UNKNOWN_IMPORT = /\bimport\((?:\/\* @vite-ignore \*\/ ?|(?="just-bash"))/g;
const NEEDS_CARE = new RegExp(`import\\.meta\\.url|${UNKNOWN_IMPORT.source}`);

function importsLeft(metafile) {
  return Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external }) => kind === "dynamic-import" && external)
    .map(({ path }) => `import("${path}") would fail in a compiled script: see tooling/bundle`);
}

/** An expression: the file a module would be, from the bundle to our own or from where another package is installed. */
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
