import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.mjs";
import { builtinsOnFirstUse, ON_FIRST_USE } from "./builtins-on-first-use.mjs";

/**
 * Bundles modules of one package under their names in `outdir`. Other packages stay external, dynamic imports get files of
 * their own, and modules that several entries need share a file, so that each module exists once. `together` names a module
 * that is bundled into one file with all its imports, except those that threads load: they stay separate, so that a thread
 * loads nothing else. With `builtinsWait`, rarely used parts of Node are loaded on the first call of one of their functions.
 */
export async function bundleModules({ home, outdir, entries, inlined = [], together, builtinsWait = false }) {
  const placed = modulesNamedByPlace(join(home, "src"));
  const bundle = await rolldown({
    cwd: home,
    input: { ...entries, ...placed },
    platform: "node",
    tsconfig: join(home, "tsconfig.json"),
    transform: { target: "node20.19" },
    external: (name, importer) =>
      !(builtinsWait && ON_FIRST_USE.test(name)) && isOutside(name, importer, inlined),
    // tsyringe's CommonJS form takes longer to load.
    resolve: { mainFields: ["module", "main"] },
    plugins: [builtinsWait && builtinsOnFirstUse(), inItsPlace({ home }), asciiOnly()],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[hash].js",
    codeSplitting: { groups: filesShared(Object.values(placed), together && [join(home, together)]) },
    sourcemap: true,
    // The source is published beside it.
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  assertPlaces(output);
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/**
 * Returns which modules share a file, together with their imports that no earlier file contains. Modules that threads load
 * stay separate, because their code runs wherever it is imported. Their static imports share one file.
 */
function filesShared(placed, together = []) {
  const files = [...placed.flatMap(importedBy), together].filter(({ length }) => length > 0);
  return files.map((modules, index) => ({
    name: `shared-${index}`,
    priority: files.length - index,
    test: (id) => modules.includes(id),
  }));
}

const IMPORTS = /^import (?!type )[^;]*? from "(\.[^"]+)\.js";$/gm;
const LATER_IMPORTS = /\bimport\("(\.[^"]+)\.js"\)/g;

function importedBy(module) {
  const source = readFileSync(module, "utf8");
  const found = (pattern) =>
    [...source.matchAll(pattern)].map(([, path]) => join(module, "..", `${path}.ts`));
  return [found(IMPORTS), ...found(LATER_IMPORTS).map((later) => [later])];
}

const BESIDE = /new URL\("(\.[^"]+\.js)", import\.meta\.url\)/g;

/** Modules that threads load are found by their path, so each stays a file at that path. */
function modulesNamedByPlace(src) {
  const places = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|[/\\]fixtures[/\\]/.test(file))
    .flatMap((file) => {
      const found = readFileSync(join(src, file), "utf8").matchAll(BESIDE);
      return [...found].map(([, path]) => join(file, "..", path).slice(0, -".js".length));
    });
  return Object.fromEntries(places.map((place) => [place, join(src, `${place}.ts`)]));
}

/** Dependencies stay external, except the libraries to include and those libraries' own dependencies. */
function isOutside(name, importer, inlined) {
  if (/^([./]|[a-z]:)/i.test(name)) return false;
  // The helper that decorators are compiled to.
  if (name.startsWith("@oxc-project/runtime/")) return false;
  if (name.startsWith("node:")) return true;
  const isOurs = importer !== undefined && !importer.includes("node_modules");
  return isOurs && !inlined.some((each) => name === each || name.startsWith(`${each}/`));
}

/** Paths are relative to `outdir`. Only modules that are found by their path are in subfolders. */
function assertPlaces(output) {
  const lost = output.find(
    ({ fileName, code }) => fileName.includes("/") && code?.includes("import.meta.url"),
  );
  if (lost !== undefined) throw new Error(`${lost.fileName} would not know its place: see tooling/bundle`);
}

/** Each module keeps the `import.meta.url` of its own file, so that it finds files relative to itself. */
function inItsPlace({ home }) {
  const src = join(home, "src");
  return {
    name: "in-its-place",
    transform: {
      filter: { code: "import.meta.url" },
      handler(code, id) {
        const place = relative(src, id).split(sep).join("/").replace(/\.ts$/, ".js");
        const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`;
        // Line numbers do not change, so the source map stays valid.
        return { code: code.replaceAll("import.meta.url", () => url), map: null };
      },
    },
  };
}
