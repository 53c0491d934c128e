import { defineConfig } from "vitest/config";

// Tests in a real browser. They take longer than the others and run under their own command.
const source = ["@haft/source"];

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
  test: {
    include: ["browser/**/*.test.ts"],
    // A browser shares the cores with everything else: conditions may take their time, and tests wait for nothing else.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    maxWorkers: 1,
    // As in the main run: a test that fails once is tried again and named.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: ["default", "../../tooling/vitest/verdict-reporter.ts"],
  },
});
