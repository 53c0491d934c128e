import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/** Puts libraries into files of their own, which the first call of one of their functions reads. */
export function loadOnFirstUse({ home, outdir, libraries }) {
  return {
    name: "load-on-first-use",
    setup(builder) {
      const names = Object.keys(libraries).map((name) => name.replaceAll(/[/.]/g, "\\$&"));
      builder.onResolve({ filter: new RegExp(`^(${names.join("|")})$`) }, ({ path }) => ({
        path,
        namespace: "on-first-use",
      }));
      builder.onLoad({ filter: /.*/, namespace: "on-first-use" }, async ({ path }) => ({
        contents: await standIn({ name: path, from: libraries[path] }, { home, outdir }),
        resolveDir: home,
      }));
      // What the MCP SDK takes from its platform; a bundled validator would be read at every start.
      builder.onResolve({ filter: /^@modelcontextprotocol\/(server|client)\/_shims$/ }, ({ path }) => ({
        path,
        namespace: "sdk-shims",
      }));
      builder.onLoad({ filter: /.*/, namespace: "sdk-shims" }, ({ path }) => ({
        contents: `
          export { default as process } from "node:process";
          export { AjvJsonSchemaValidator as DefaultJsonSchemaValidator } from "${path.slice(0, -"_shims".length)}validators/ajv";
        `,
        resolveDir: home,
      }));
    },
  };
}

/** Exports by the same names, each of which loads the library when it is called, made or looked into. */
async function standIn({ name, from }, { home, outdir }) {
  const file = `lib/${name.replaceAll("@", "").replaceAll("/", "-")}.cjs`;
  const manifest = createRequire(join(home, "package.json")).resolve(`${from}/package.json`);
  const require = createRequire(manifest);
  const entry = require.resolve(name);
  await build({
    entryPoints: [entry],
    outfile: join(outdir, file),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "linked",
    logLevel: "warning",
  });
  const functions = Object.entries(require(entry)).filter(
    ([key, value]) => typeof value === "function" && key !== "default",
  );
  return `
    let loaded;
    const library = () => (loaded ??= require(${JSON.stringify(`./${file}`)}));
    const later = (pick) => new Proxy(function () {}, {
      get: (_, key) => Reflect.get(pick(), key),
      apply: (_, self, args) => Reflect.apply(pick(), self, args),
      construct: (_, args) => Reflect.construct(pick(), args),
    });
    export default later(library);
    ${functions.map(([key]) => `export const ${key} = later(() => library().${key});`).join("\n")}
  `;
}
