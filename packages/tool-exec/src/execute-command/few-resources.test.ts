import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";

let root: string;
let script: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-few-")));
  script = await bundleProcess(new URL("./few-resources.fixture.ts", import.meta.url), join(root, "bin"));
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Outcomes {
  readonly alone: readonly string[];
  readonly together: readonly string[];
  readonly after: string;
}

/** Runs the fixture under a limit. Fails if it ends with an uncaught exception. */
function outcomesUnder(limit: string): Outcomes {
  rmSync(join(root, "ws"), { recursive: true, force: true });
  mkdirSync(join(root, "ws"));
  writeFileSync(join(root, "ws/a.txt"), "text\n");
  const shell = `ulimit ${limit}; exec "${process.execPath}" "${script}" "${root}"`;
  return JSON.parse(execFileSync("bash", ["-c", shell], { encoding: "utf8", timeout: 300_000 }));
}

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))(
  "a host that has little itself",
  () => {
    it.each(["-n 300", "-S -n 200", "-u 400", "-f 100000", "-t 50"])(
      "FR4 runs commands and code under ulimit %s within those resources",
      (limit) => {
        const { alone, together, after } = outcomesUnder(limit);
        for (const outcome of [...alone.slice(0, 2), after]) expect(outcome).toContain("text\\n");
        expect(alone[2]).toContain('"exitCode":0');
        for (const outcome of together) expect(outcome).toMatch(/text\\n|^[A-Z_]+$/);
      },
      300_000,
    );
  },
);
