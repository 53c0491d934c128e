import { defineConfig } from "vitest/config";

// Tests run from source: the "@haft/source" export condition needs no build.
const source = ["@haft/source"];

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tooling/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 20_000,
    // Left to itself a run takes all cores but one: on two cores that is one.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      // Only what is gated: remapping the rest costs CI a minute.
      include: ["packages/{core,runtime-node}/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/index.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: {
        "packages/core/src/**": { lines: 90, branches: 90 },
        "packages/runtime-node/src/**": { lines: 90, branches: 90 },
      },
    },
  },
});
