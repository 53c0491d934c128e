// Compiles kernel/search-kernel.ts and embeds it in src/engine/kernel/kernel-binary.ts, which is committed: tests
// and users run from source, without a build. `--check` only says whether the committed file is up to date.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = fileURLToPath(new URL("../kernel/", import.meta.url));
const SOURCES = new Set(["search-kernel.ts", "collect-grams.ts", "lines.ts"]);
const target = new URL("../src/engine/kernel/kernel-binary.ts", import.meta.url);

const text = await render(await compileKernel());
if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8")) !== text)
    throw new Error("kernel-binary.ts is stale: run build:kernel");
} else await writeFile(target, text);

async function compileKernel() {
  const files = new Map();
  const options = ["search-kernel.ts", "--outFile", "kernel.wasm", "--runtime", "stub", "--enable", "simd"];
  const { error, stderr } = await asc.main(
    [...options, "-O3", "--noAssert", "--use", "abort=", "--initialMemory", "64", "--memoryBase", "0"],
    {
      readFile: async (name) => (SOURCES.has(name) ? readFile(`${folder}${name}`, "utf8") : null),
      writeFile: (name, content) => void files.set(name, content),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(stderr.toString(), { cause: error });
  return files.get("kernel.wasm");
}

async function render(binary) {
  const lines = Buffer.from(binary)
    .toString("base64")
    .match(/.{1,100}/g);
  return `// Generated from kernel/search-kernel.ts by scripts/build-kernel.mjs; do not edit.

export const KERNEL_BINARY = [
${lines.map((line) => `  "${line}",`).join("\n")}
].join("");
`;
}
