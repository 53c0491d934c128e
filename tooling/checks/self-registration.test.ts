import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { execaSync } from "execa";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt, scratchFolder } from "./built.js";

// A bare import must register its tools after bundling too: bundlers drop imports that look unused.
const CONSUMER = `
import "@haft/tool-fs";
import { catalog, definitionOf } from "@haft/core";
console.log(JSON.stringify(catalog.snapshot().map((tool) => definitionOf(tool).name).sort()));
`;

describe("self-registration", () => {
  let folder: string;
  let entry: string;
  let announced: string[];

  beforeAll(() => {
    assertBuilt("tool-fs");
    folder = scratchFolder("bundle");
    entry = join(folder, "consumer.mjs");
    writeFileSync(entry, CONSUMER);
    announced = run(entry);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("works without a bundler", () => {
    expect(announced).toContain("read_file");
  });

  it("survives esbuild with tree shaking", async () => {
    const outfile = join(folder, "esbuild.mjs");
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      treeShaking: true,
      minify: true,
      logLevel: "silent",
      banner: { js: REQUIRE },
      external: ["unpdf"],
    });
    expect(run(outfile)).toEqual(announced);
  });

  it("survives rolldown with tree shaking", async () => {
    const file = join(folder, "rolldown.mjs");
    const bundle = await rolldown({
      input: entry,
      platform: "node",
      treeshake: true,
      external: ["unpdf"],
      logLevel: "silent",
    });
    await bundle.write({ file, format: "esm", codeSplitting: false });
    await bundle.close();
    expect(run(file)).toEqual(announced);
  });
});

// CommonJS dependencies in an ES module bundle need `require`.
const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

function run(file: string): string[] {
  return JSON.parse(execaSync(process.execPath, [file]).stdout);
}
