// Measures a program's first grep with and without Node's compile cache, in turns. Run it with Node 22 or later:
// node bench/start/compile-cache.mjs 15
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { corpus, SIZES } from "../search/corpus.mjs";

const runs = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "haft-compile-cache-"));
const program = fileURLToPath(new URL("../search/fresh-haft.mjs", import.meta.url));
const tree = corpus(folder, SIZES.small);
const cached = `import { enableCompileCache } from "node:module"; enableCompileCache(${JSON.stringify(join(folder, "cache"))}); await import(${JSON.stringify(pathToFileURL(program).href)});`;
const kinds = {
  without: `await import(${JSON.stringify(pathToFileURL(program).href)});`,
  "with enableCompileCache": cached,
};

function once(code) {
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code, "-", tree]);
  if (status !== 0 || stdout.length === 0) throw new Error(`it failed: ${stdout}`);
  return performance.now() - startedAt;
}

const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
// The first round fills the cache.
for (const code of Object.values(kinds)) once(code);
for (let run = 0; run < runs; run += 1) {
  for (const [kind, code] of Object.entries(kinds)) times[kind].push(once(code));
}
for (const [kind, all] of Object.entries(times)) {
  all.sort((one, other) => one - other);
  console.log(`${kind}: best ${all[0].toFixed(0)} ms, median ${all[runs >> 1].toFixed(0)} ms`);
}
rmSync(folder, { recursive: true });
