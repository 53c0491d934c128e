import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execaSync } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const LOADER = join(ROOT, "packages/cli/bin/load-bundle.js");
const PROGRAM = `const other = require("./other.cjs"); console.log(other.add(1, 2));`;
const OTHER = "exports.add = (a, b) => a + b;";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-compiled-"));
  // Bundled files end with a stamp of 16 characters.
  writeFileSync(join(folder, "program.cjs"), `${PROGRAM}//0123456789abcdef`);
  writeFileSync(join(folder, "other.cjs"), `${OTHER}//fedcba9876543210`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Node 22.1 and later cache compiled code themselves.
const keepsItself = "enableCompileCache" in createRequire(import.meta.url)("node:module");

describe.skipIf(keepsItself)("FP11 an installed copy", () => {
  it("caches compiled code for the next start, in a folder of the user", () => {
    expect(run()).toBe("3");
    const kept = keptFiles();
    expect(kept.map(({ name }) => name.split(".")[0])).toEqual(["other", "program"]);
    expect(kept.every(({ mode }) => (mode & 0o077) === 0)).toBe(true);
    expect(run()).toBe("3");
    expect(keptFiles(), "V8 accepts it, so that it is not written again").toEqual(kept);
  });

  it("compiles again if a file has changed", () => {
    run();
    writeFileSync(join(folder, "other.cjs"), `${OTHER.replace("+", "*")}//aaaaaaaaaaaaaaaa`);
    expect(run()).toBe("2");
    expect(run()).toBe("2");
  });

  it("never uses a folder that other users may write to", () => {
    mkdirSync(join(folder, "cache/haft/compiled"), { recursive: true });
    chmodSync(join(folder, "cache/haft/compiled"), 0o777);
    expect(run()).toBe("3");
    expect(keptFiles()).toEqual([]);
  });

  it("runs without such a folder", () => {
    writeFileSync(join(folder, "cache"), "a file");
    expect(run()).toBe("3");
  });
});

function run(): string {
  const program = `require(${JSON.stringify(LOADER)}).loadBundle(${JSON.stringify(join(folder, "program.cjs"))})`;
  return execaSync(process.execPath, ["-e", program], { env: { XDG_CACHE_HOME: join(folder, "cache") } })
    .stdout;
}

function keptFiles(): readonly { name: string; mode: number; ino: number }[] {
  const kept = join(folder, "cache/haft/compiled");
  return readdirSync(kept)
    .sort()
    .map((name) => ({ name, mode: statSync(join(kept, name)).mode, ino: statSync(join(kept, name)).ino }));
}
