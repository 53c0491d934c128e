import { defineConfig } from "vitest/config";

// Tests in a real browser. They take longer than the others and have their own command.
const source = ["@haft/source"];

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
  test: {
    include: ["browser/**/*.test.ts"],
    // A browser shares the cores with everything else, so conditions have generous timeouts; tests never wait for a
    // fixed time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    maxWorkers: 1,
    // As in the main run, a failed test is tried once more and listed as unstable.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: ["default", "../../tooling/vitest/verdict-reporter.ts"],
  },
});
