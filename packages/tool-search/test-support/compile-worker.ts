import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

/** Strips the types off the engine into a temporary folder: a worker thread cannot load TypeScript from source. */
export function compileWorker(): URL {
  const source = fileURLToPath(new URL("../src/engine/", import.meta.url));
  const target = mkdtempSync(join(tmpdir(), "haft-worker-"));
  for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(source, name), "utf8"), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    const output = join(target, name.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText);
  }
  writeFileSync(join(target, "package.json"), '{"type":"module"}');
  return pathToFileURL(join(target, "node/search-worker.js"));
}
