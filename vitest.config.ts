import { defineConfig } from "vitest/config";
import { seededProperties } from "./tooling/vitest/seeded-properties.js";

// Tests run from source: the "@haft/source" export condition needs no build.
const source = ["@haft/source"];

export default defineConfig({
  plugins: [seededProperties()],
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tooling/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 20_000,
    // Hooks start commands as well. The default of 10 s ended them on a busy machine.
    hookTimeout: 60_000,
    // Tests that kill processes or drive terminals meet the scheduler of a busy machine. CI tries a failed test once
    // more and names it (verdict-reporter.ts). Properties keep their seed, so a broken law fails both times.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: ["default", "./tooling/vitest/verdict-reporter.ts"],
    // Left to itself a run takes all cores but one: on two cores that is one.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      // Only packages with a coverage threshold: remapping the others costs CI a minute.
      include: ["packages/{core,runtime-node}/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/index.ts"],
      reporter: ["text-summary", "json-summary"],
      // Without it, one unstable test hides a coverage below the threshold until the next run.
      reportOnFailure: true,
      thresholds: {
        "packages/core/src/**": { lines: 90, branches: 90 },
        "packages/runtime-node/src/**": { lines: 90, branches: 90 },
      },
    },
  },
});
