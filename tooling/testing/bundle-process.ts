// Makes one plain JavaScript file of a process that a test starts and kills: it starts fast and needs no build.
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Where the file is. Modules in `external` are imported when the process runs, from where the file lies. */
export async function bundleProcess(
  source: URL,
  directory: string,
  external: readonly (string | RegExp)[] = [],
): Promise<string> {
  // Neither "import" nor "require": which of them holds depends on the importing file.
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
