import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.mjs";
import { functionsOf, standIn } from "./stand-in.mjs";

/**
 * Bundles libraries into separate files, loaded on the first call of one of their functions. Adds their sources to
 * `modules`.
 */
export function loadOnFirstUse({ home, outdir, libraries, modules }) {
  const names = Object.keys(libraries).map((name) => name.replaceAll(/[/.]/g, "\\$&"));
  return {
    name: "load-on-first-use",
    resolveId: {
      // A package may import a library by a "#" name, so that unbundled code loads it on demand.
      filter: { id: [new RegExp(`^#?(${names.join("|")})$`), SHIMS, LIBRARY_FILE] },
      handler(id) {
        if (LIBRARY_FILE.test(id)) return { id, external: true };
        return `\0${SHIMS.test(id) ? "sdk-shims" : "on-first-use"}:${id.replace(/^#/, "")}`;
      },
    },
    load: {
      filter: { id: /^\0(sdk-shims|on-first-use):/ },
      handler(id) {
        const name = id.slice(id.indexOf(":") + 1);
        return SHIMS.test(name)
          ? SHIMS_SOURCE
          : libraryLater({ name, from: libraries[name] }, { home, outdir, modules });
      },
    },
  };
}

const SHIMS = /^@modelcontextprotocol\/server\/_shims$/;
const LIBRARY_FILE = /^\.\/lib-.*\.cjs$/;

/** The module that the MCP SDK imports for its platform; a bundled validator would be loaded at every start. */
const SHIMS_SOURCE = `
  export { default as process } from "node:process";
  export { AjvJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
`;

async function libraryLater({ name, from }, { home, outdir, modules }) {
  const file = `lib-${name.replaceAll("@", "").replaceAll("/", "-")}.cjs`;
  const manifest = createRequire(join(home, "package.json")).resolve(`${from}/package.json`);
  const require = createRequire(manifest);
  const entry = require.resolve(name);
  modules.push(...(await bundleLibrary(entry, join(outdir, file))));
  return standIn(functionsOf(require(entry)), `require("./${file}")`);
}

async function bundleLibrary(entry, file) {
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    transform: { target: "node20.19" },
    plugins: [asciiOnly()],
  });
  const { output } = await bundle.write({ file, format: "cjs", codeSplitting: false, minify: true });
  await bundle.close();
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}
