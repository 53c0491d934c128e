import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles modules of one package, by their name in `outdir`. Other packages stay outside, what is imported later stays
 * in a file of its own, and what several need is in one that they share, so that each module exists once.
 */
export async function bundleModules({ home, outdir, entries, inlined = [] }) {
  const bundle = await rolldown({
    cwd: home,
    input: { ...entries, ...modulesNamedByPlace(join(home, "src")) },
    platform: "node",
    tsconfig: join(home, "tsconfig.json"),
    transform: { target: "node20.19" },
    external: (name, importer) => isOutside(name, importer, inlined),
    // tsyringe's CommonJS form takes longer to load.
    resolve: { mainFields: ["module", "main"] },
    plugins: [inItsPlace({ home })],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[hash].js",
    sourcemap: true,
    // The source is published beside it.
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  assertPlaces(output);
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

const BESIDE = /new URL\("(\.[^"]+\.js)", import\.meta\.url\)/g;

/** What threads load is named by its place: each such module stays a file there. */
function modulesNamedByPlace(src) {
  const places = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|[/\\]fixtures[/\\]/.test(file))
    .flatMap((file) => {
      const found = readFileSync(join(src, file), "utf8").matchAll(BESIDE);
      return [...found].map(([, path]) => join(file, "..", path).slice(0, -".js".length));
    });
  return Object.fromEntries(places.map((place) => [place, join(src, `${place}.ts`)]));
}

/** What a package depends on is not copied into it, but for the libraries it is to bring, and what those need. */
function isOutside(name, importer, inlined) {
  if (/^([./]|[a-z]:)/i.test(name)) return false;
  // The helper that decorators are compiled to.
  if (name.startsWith("@oxc-project/runtime/")) return false;
  if (name.startsWith("node:")) return true;
  const isOurs = importer !== undefined && !importer.includes("node_modules");
  return isOurs && !inlined.some((each) => name === each || name.startsWith(`${each}/`));
}

/** Places are told from the top of `outdir`, where everything lies but what is named by its place. */
function assertPlaces(output) {
  const lost = output.find(
    ({ fileName, code }) => fileName.includes("/") && code?.includes("import.meta.url"),
  );
  if (lost !== undefined) throw new Error(`${lost.fileName} would not know its place: see tooling/bundle`);
}

/** A module still sees the place it would have if each were a file, so that what it looks for from there is found. */
function inItsPlace({ home }) {
  const src = join(home, "src");
  return {
    name: "in-its-place",
    transform: {
      filter: { code: "import.meta.url" },
      handler(code, id) {
        const place = relative(src, id).split(sep).join("/").replace(/\.ts$/, ".js");
        const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`;
        // No line moves, so the map stays as it is.
        return { code: code.replaceAll("import.meta.url", () => url), map: null };
      },
    },
  };
}
