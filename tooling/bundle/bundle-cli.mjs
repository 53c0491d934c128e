// Bundles the `haft` command into one file: several hundred small files take Node longer to find than to run.
// Commands and packs are evaluated when they are needed; libraries that are rarely called are files of their own.
// Run in packages/cli after bundle-package.mjs. Made from source, where each module can be evaluated by itself.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { asIfUnbundled, BANNER, IMPORT_MODULE } from "./as-if-unbundled.mjs";
import { carryPacks } from "./carry-packs.mjs";
import { compileBundle } from "./compile-bundle.mjs";
import { loadOnFirstUse } from "./load-on-first-use.mjs";

/** Libraries that most runs never call, and the package that depends on each. */
const RARELY_CALLED = {
  // First calls that are plainly right need no validator.
  "ajv/dist/2020.js": "@haft/core",
  "iconv-lite": "@haft/text",
  re2js: "@haft/tool-edit",
  unbash: "@haft/tool-exec",
  jiti: "@haft/runtime-node",
  undici: "@haft/runtime-node",
  // Only configurations with MCP servers need a client.
  "@modelcontextprotocol/client": "@haft/mcp",
  // The SDK's own validator; ours is the kernel's.
  "@modelcontextprotocol/server/validators/ajv": "@haft/mcp",
  "@modelcontextprotocol/client/validators/ajv": "@haft/mcp",
};

const home = process.cwd();
const outdir = join(home, "dist/bundle");
const outfile = join(outdir, "haft.cjs");
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [join(home, "src/main.ts")],
  outfile,
  bundle: true,
  conditions: ["@haft/source"],
  format: "cjs",
  platform: "node",
  target: "node20.19",
  // `HAFT_DEBUG=1` runs what this was made from, whose stacks can be read.
  minify: true,
  legalComments: "linked",
  external: ["./lib/*.cjs"],
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: BANNER },
  metafile: true,
  logLevel: "warning",
  plugins: [
    carryPacks({ home }),
    loadOnFirstUse({ home, outdir, libraries: RARELY_CALLED }),
    asIfUnbundled({ home, outdir }),
  ],
});
writeFileSync(join(outdir, "lib/import-module.cjs"), IMPORT_MODULE);
await compileBundle({ home, outfile });
