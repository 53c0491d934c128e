// Bundles a process that a test starts and kills into one plain JavaScript file, which starts fast and needs no build.
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** The path of the file. Modules in `external` are imported at run time, relative to the file. */
export async function bundleProcess(
  source: URL,
  directory: string,
  external: readonly (string | RegExp)[] = [],
): Promise<string> {
  // Neither "import" nor "require", because the importing file decides which of them applies.
  const conditions = ["@haft/source", "node", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: external.length === 0 ? true : [], resolve: { conditions } },
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
    build: {
      ssr: fileURLToPath(source),
      outDir: directory,
      minify: false,
      rollupOptions: { external: ["jiti", ...external], output: { entryFileNames: "[name].mjs" } },
    },
  });
  return join(directory, `${basename(source.pathname, ".ts")}.mjs`);
}
