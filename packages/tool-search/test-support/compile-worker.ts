import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

export interface CompiledWorker {
  readonly entry: URL;
  /** The module of runtime-node that creates a reader's guard in a thread. */
  readonly guardUrl: URL;
}

/** Strips the types of the modules of a search thread into a temporary folder: a thread cannot load TypeScript. */
export function compileWorker(): CompiledWorker {
  shared.worker ??= compile();
  return shared.worker;
}

/** Once for all tests of a file, because it takes a while. */
const shared: { worker?: CompiledWorker } = {};

function compile(): CompiledWorker {
  const target = mkdtempSync(join(tmpdir(), "haft-worker-"));
  const text = join(target, "node_modules/@haft/text");
  transpile(sourceOf("text/src/"), join(text, "src"));
  symlinkSync(sourceOf("text/node_modules"), join(text, "node_modules"));
  writePackage(text, {
    ".": "./src/index.js",
    "./path-rules": "./src/path-rules.js",
    "./regex": "./src/regex.js",
  });
  transpile(sourceOf("tool-search/src/engine/"), join(target, "engine"));
  transpile(sourceOf("runtime-node/src/workspace/"), join(target, "guard"), GUARD_FILES);
  writePackage(target, {});
  return {
    entry: pathToFileURL(join(target, "engine/node/search-worker.js")),
    guardUrl: pathToFileURL(join(target, "guard/thread-guard.js")),
  };
}

const GUARD_FILES = ["thread-guard.ts", "name-guard.ts", "covered-by.ts", "temp-name.ts"];

function sourceOf(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

function transpile(source: string, target: string, names = filesBelow(source)): void {
  for (const name of names) {
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
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

function writePackage(folder: string, exports: Record<string, string>): void {
  const imports = { "#iconv-lite": "iconv-lite" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", exports, imports }));
}
