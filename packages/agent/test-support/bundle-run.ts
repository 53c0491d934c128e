// Makes one plain JavaScript file of the process that dies: it starts fast and needs no build.
import { fileURLToPath } from "node:url";
import { build } from "vite";

export async function bundleRun(directory: string): Promise<string> {
  const conditions = ["@haft/source", "node", "import", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
    build: {
      ssr: fileURLToPath(new URL("./killed-run.ts", import.meta.url)),
      outDir: directory,
      minify: false,
      rollupOptions: { external: ["jiti"], output: { entryFileNames: "[name].mjs" } },
    },
  });
  return `${directory}/killed-run.mjs`;
}
