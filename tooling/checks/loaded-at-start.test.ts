import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { ROOT } from "./source-files.js";

// A process that makes one call pays for everything that is loaded before it.
describe("a program that imports the packages", () => {
  it("loads no ajv and no third-party library before its first call", () => {
    const { files, outside } = loadedBy(["runtime-node", "tool-search", "tool-fs"]);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => file.endsWith("core/dist/compile-schema.js"))).toEqual([]);
    expect(outside).toEqual([]);
  });

  it("loads nothing of the kernel or the runtime in search threads", () => {
    const worker = join(ROOT, "packages/tool-search/dist/engine/node/search-worker.js");
    const guard = join(ROOT, "packages/runtime-node/dist/workspace/thread-guard.js");
    const { files } = importedFrom([worker, guard]);
    expect(files).toContain(worker);
    expect(files.filter((file) => /packages\/core\/|runtime-node\/dist\/index\.js$/.test(file))).toEqual([]);
  });
});

interface Loaded {
  readonly files: readonly string[];
  /** Third-party packages. */
  readonly outside: readonly string[];
}

function loadedBy(packages: readonly string[]): Loaded {
  for (const name of packages) assertBuilt(name);
  return importedFrom(packages.map((name) => join(ROOT, "packages", name, "dist/index.js")));
}

/** Returns what Node reads for static imports, starting from some files. */
function importedFrom(entries: readonly string[]): Loaded {
  const files = new Set<string>();
  const outside = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
      const found = fileOf(name, file);
      if (found !== undefined) waiting.push(found);
      else if (!name.startsWith("node:")) outside.add(name);
    }
  }
  return { files: [...files], outside: [...outside] };
}

const STATIC_IMPORT = /^(?:import|export) (?:[^"';]* from )?"([^"]+)";$/gm;

function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith(".")) return join(dirname(from), name);
  if (name === "#iconv-lite") return join(ROOT, "packages/text/iconv-on-first-use.js");
  const [, own, path = "."] = /^@haft\/([^/]+)(?:\/(.+))?$/.exec(name) ?? [];
  if (own === undefined || !existsSync(join(ROOT, "packages", own))) return undefined;
  return join(ROOT, "packages", own, path === "." ? "dist/index.js" : `dist/${path}.js`);
}
