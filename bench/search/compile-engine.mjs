// Strips the types off the engine into a temporary folder, so that the benchmark measures the sources as they are,
// in plain Node and without a build.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

/** The folder of the compiled engine, as a URL with a trailing slash. */
export function compileEngine() {
  const source = fileURLToPath(new URL("../../packages/tool-search/src/engine/", import.meta.url));
  const target = mkdtempSync(join(tmpdir(), "haft-bench-engine-"));
  for (const name of readdirSync(source, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(source, name), "utf8"), {
      compilerOptions: { target: "ES2022", module: "ESNext", verbatimModuleSyntax: true },
    });
    const output = join(target, name.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText);
  }
  writeFileSync(join(target, "package.json"), '{"type":"module"}');
  return pathToFileURL(`${target}/`);
}
