import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a third-party pack that needs no copy of the kernel. Its source calls `define(definition, run)`. */
export function writePack(folder: string, source: string, haft: object = { pack: true }): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "acme-pack", version: "1.0.0", type: "module", exports: "./index.js", haft };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "index.js"), `${DEFINE}\n${source}\n`);
}

const DEFINE = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const CATALOG = Symbol.for("haft.catalog.v1");
function define(definition, run) {
  const schema = { type: "object", properties: {}, additionalProperties: false };
  const defaults = { summary: "Does something.", category: "x-acme", permissions: [], input: schema, output: {} };
  class Tool {
    run(args, context) {
      return run(args, context);
    }
  }
  Tool[Symbol.for("haft.tool-definition.v1")] = { ...defaults, ...definition };
  globalThis[CATALOG] ??= new Set();
  globalThis[CATALOG].add(Tool);
}`;
