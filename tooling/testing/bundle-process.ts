// Makes one plain JavaScript file of a process that a test starts and kills: it starts fast and needs no build.
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Where the file is. */
export async function bundleProcess(source: URL, directory: string): Promise<string> {
  const conditions = ["@haft/source", "node", "import", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
    build: {
      ssr: fileURLToPath(source),
      outDir: directory,
      minify: false,
      rollupOptions: { external: ["jiti"], output: { entryFileNames: "[name].mjs" } },
    },
  });
  return join(directory, `${basename(source.pathname, ".ts")}.mjs`);
}
