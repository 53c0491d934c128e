import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";

/** HAFT_DENO, or the first deno on PATH. */
function findDeno(): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "deno"));
  return [process.env.HAFT_DENO ?? "", ...places].find((program) => {
    try {
      return program !== "" && execFileSync(program, ["--version"], { encoding: "utf8" }).startsWith("deno");
    } catch {
      return false;
    }
  });
}

const deno = findDeno();

describe.skipIf(deno === undefined)("on Deno (skipped where neither HAFT_DENO nor PATH has it)", () => {
  it("FR9 the first write settles, and so do the next ones", async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-deno-bundle-"));
    try {
      const script = await bundleProcess(
        new URL("../../test-support/deno-write.ts", import.meta.url),
        folder,
      );
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
      const output = execFileSync(deno ?? "", ["run", "-A", script], { encoding: "utf8", timeout: 20_000 });
      expect(JSON.parse(output)).toEqual({ ok: ["ok", "ok", "ok"], content: "two\n" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
