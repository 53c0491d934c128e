// Bundles the `haft` command, because Node takes longer to find several hundred small files than to run them. Commands,
// packs and rarely called libraries become separate files, which are read on demand. Run in packages/cli after
// bundle-package.mjs. Bundles the source, where each module can be evaluated separately.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { asIfUnbundled, IMPORT_MODULE } from "./as-if-unbundled.mjs";
import { asciiOnly } from "./ascii-only.mjs";
import { builtinsOnFirstUse } from "./builtins-on-first-use.mjs";
import { calledLater, LATER } from "./called-later.mjs";
import { carryPacks } from "./carry-packs.mjs";
import { compileBundle } from "./compile-bundle.mjs";
import { licensesOf } from "./licenses-of.mjs";
import { loadOnFirstUse } from "./load-on-first-use.mjs";
import { neverCalled } from "./never-called.mjs";
import { stamped } from "./stamped.mjs";

/** Libraries that are imported but rarely called, each with the package that depends on it. */
const RARELY_CALLED = {
  "iconv-lite": "@haft/text",
  unbash: "@haft/tool-exec",
  // Already a dynamic import; its CommonJS form includes its compiler.
  jiti: "@haft/runtime-node",
  // The SDK's own validator; Haft uses the kernel's.
  "@modelcontextprotocol/server/validators/ajv": "@haft/mcp",
};

/** Their imports are included. */
const EVERY_CALL =
  /[/\\](cli[/\\]src[/\\](commands[/\\]call|open[/\\]open-runtime)|(core|text)[/\\]src[/\\]index)\.ts$|decorate/;

const home = process.cwd();
const outdir = join(home, "dist/bundle");
const modules = [];
rmSync(outdir, { recursive: true, force: true });
// A first bundle shows which modules short commands never call.
await bundleCommand({ later: [], minify: false });
const later = neverCalled({ home, outdir });
rmSync(outdir, { recursive: true });
modules.length = 0;
const output = await bundleCommand({ later, minify: true });
modules.push(...output.flatMap(({ moduleIds = [] }) => moduleIds));
writeFileSync(join(outdir, "licenses.txt"), licensesOf(modules));
compileBundle({ home, outfile: join(outdir, "haft.cjs") });

async function bundleCommand({ later, minify }) {
  const bundle = await rolldown({
    cwd: home,
    input: { haft: join(home, "src/main.ts"), ...(later.length > 0 && { later: LATER }) },
    platform: "node",
    tsconfig: join(home, "tsconfig.json"),
    transform: { target: "node20.19" },
    resolve: {
      conditionNames: ["@haft/source", "import", "node", "default"],
      mainFields: ["module", "main"],
    },
    plugins: [
      carryPacks({ home }),
      loadOnFirstUse({ home, outdir, libraries: RARELY_CALLED, modules }),
      builtinsOnFirstUse(),
      calledLater(later),
      asIfUnbundled({ home, outdir }),
      asciiOnly(),
      stamped(),
    ],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "cjs",
    // Compiled scripts have only `require`.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    // One file holds everything that each call needs.
    codeSplitting: { groups: [{ name: "runtime", test: EVERY_CALL }] },
    // `HAFT_DEBUG=1` runs the unbundled files, with readable stack traces.
    minify,
  });
  await bundle.close();
  writeFileSync(join(outdir, "import-module.cjs"), IMPORT_MODULE);
  return output;
}
