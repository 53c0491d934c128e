import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.mjs";
import { builtinsOnFirstUse, ON_FIRST_USE } from "./builtins-on-first-use.mjs";

/**
 * Bundles modules of one package under their names in `outdir`. Other packages stay external, dynamic imports get files
 * of their own, and modules that several entries need share a file, so that each module exists once. `together` names a
 * module that is bundled into one file with all its imports. With `builtinsWait`, rarely used parts of Node are loaded
 * on the first call of one of their functions. Modules that threads load are bundled on their own: see `bundleThreads`.
 */
export async function bundleModules({ home, outdir, entries, inlined = [], together, builtinsWait = false }) {
  const bundle = await rolldown({
    ...settings(home),
    input: entries,
    external: (name, importer) =>
      !(builtinsWait && ON_FIRST_USE.test(name)) && isOutside(name, importer, inlined),
    // tsyringe's CommonJS form takes longer to load.
    resolve: { mainFields: ["module", "main"] },
    plugins: [builtinsWait && builtinsOnFirstUse(), inItsPlace({ home }), asciiOnly()],
  });
  const { output } = await bundle.write({
    ...outputOptions(outdir),
    chunkFileNames: "shared-[hash].js",
    codeSplitting: {
      groups: together ? [{ name: "shared-0", test: (id) => id === join(home, together) }] : [],
    },
  });
  await bundle.close();
  const threads = await bundleThreads({ home, outdir, inlined });
  assertPlaces(output);
  return [...output, ...threads].flatMap(({ moduleIds = [] }) => moduleIds);
}

/**
 * Bundles the modules that threads load, each into one file with a copy of all it imports: a caller waits while a
 * thread finds and reads its modules. Nothing is shared with the thread that starts it, so a copy has no state to
 * disagree about.
 */
async function bundleThreads({ home, outdir, inlined }) {
  const input = modulesNamedByPlace(join(home, "src"));
  if (Object.keys(input).length === 0) return [];
  const bundle = await rolldown({
    ...settings(home),
    input,
    external: (name, importer) => isOutside(name, importer, [...inlined, ...COPIED]),
    resolve: { conditionNames: ["@haft/source", "import", "node", "default"] },
    plugins: [asciiOnly()],
  });
  const options = { ...outputOptions(outdir), chunkFileNames: "thread-[hash].js", minify: true };
  const { output } = await bundle.write(options);
  await bundle.close();
  return output;
}

/** What threads need of other packages. */
const COPIED = ["@haft/text/regex", "@haft/text/path-rules"];

function settings(home) {
  return {
    cwd: home,
    platform: "node",
    tsconfig: join(home, "tsconfig.json"),
    transform: { target: "node20.19" },
  };
}

function outputOptions(outdir) {
  return {
    dir: outdir,
    format: "esm",
    entryFileNames: "[name].js",
    sourcemap: true,
    // The source is published beside it.
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  };
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
