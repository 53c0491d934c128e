import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { findDeno } from "../../../../tooling/testing/find-program.js";

const deno = findDeno();

describe.skipIf(deno === undefined)("on Deno (skipped where it is not installed)", () => {
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
