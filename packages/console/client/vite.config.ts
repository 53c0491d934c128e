import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// Served by this package's own server, whose policy forbids inline scripts and styles.
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  resolve: { conditions: ["@haft/source", "browser", "import", "module", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/static",
    emptyOutDir: true,
    target: "chrome120",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The page uses the agent's reducer; the kernel that it also imports does not run here.
      treeshake: { moduleSideEffects: (id) => /[/\\]console[/\\]client[/\\]|\.css$/.test(id) },
    },
  },
});
