import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { startProcess } from "./start-process.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-descriptors-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("a process without file descriptors", () => {
  it("FR4 returns an error for every program it starts, and recovers once descriptors are free", async () => {
    const script = await bundleProcess(
      new URL("../../test-support/no-descriptors.ts", import.meta.url),
      folder,
    );
    const shell = `ulimit -n 80; exec "${process.execPath}" "${script}"`;
    const output = execFileSync("bash", ["-c", shell], { encoding: "utf8", timeout: 20_000 });
    const { warm, full, again } = JSON.parse(output);
    expect(full).toEqual({
      run: "EXECUTION_ERROR",
      piped: "EXECUTION_ERROR",
      boxed: "EXECUTION_ERROR",
      plain: "EXECUTION_ERROR",
    });
    const ok = { run: "ok", piped: "ok", boxed: "ok", plain: "ok" };
    expect([warm, again]).toEqual([ok, ok]);
  });
});

describe("startProcess", () => {
  it("FR4 returns an error value where Node throws: a NUL byte, too many arguments", () => {
    for (const args of [["a\0b"], ["x".repeat(200_000_00)]])
      expect(() => startProcess({ program: "/bin/true", args })).toThrow(
        expect.objectContaining({ code: "EXECUTION_ERROR" }),
      );
  });

  it("FR4 is the only place in the product that spawns", () => {
    const packages = fileURLToPath(new URL("../../../", import.meta.url));
    const sources = readdirSync(packages).flatMap((name) => {
      const src = join(packages, name, "src");
      try {
        return readdirSync(src, { recursive: true, encoding: "utf8" }).map((file) => join(src, file));
      } catch {
        return [];
      }
    });
    const shipped = sources.filter(
      (file) => /\.ts$/.test(file) && !/\.(test|fixture)\.ts$|fixtures/.test(file),
    );
    const spawning = shipped.filter((file) =>
      /\bspawn\b.*from "node:child_process"/.test(readFileSync(file, "utf8")),
    );
    expect(spawning.map((file) => file.slice(packages.length))).toEqual([
      "runtime-node/src/process/start-process.ts",
    ]);
  });
});
