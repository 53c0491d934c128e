import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt } from "../../../tooling/checks/built.js";
import { bundleProcess } from "../../../tooling/testing/bundle-process.js";

// Two gates over one run: more than 500 hostile inputs, generated from a seed, go through the tools of a real runtime
// in a separate process. HAFT_HOSTILE_SEED selects another seed.

interface Report {
  readonly count: number;
  readonly uncaught: readonly string[];
  readonly failures: readonly string[];
  readonly stalls: readonly { readonly name: string; readonly ms: number }[];
  /** For each kind of input, how many had a call that succeeded. */
  readonly successes: Readonly<Record<string, number>>;
}

const SERVER = fileURLToPath(new URL("../test-support/hostile/hostile-mcp-server.mjs", import.meta.url));
const MAX_STALL_MS = 250;

let folder: string;
let report: Report;
let faults: Report;

beforeAll(async () => {
  for (const name of ["core", "mcp", "runtime-node", "tool-edit", "tool-fs", "tool-search", "tool-web"])
    assertBuilt(name);
  // Below this package, so that the process finds the built packages with their threads, as a user's would.
  const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "hostile-"));
  const source = new URL("../test-support/hostile/gate-process.ts", import.meta.url);
  const script = await bundleProcess(source, folder, [/^@haft\//]);
  report = await run([script, process.env.HAFT_HOSTILE_SEED ?? "1", SERVER]);
  faults = await run([script, "1", SERVER, "fault"]);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: 280_000, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(`the process ended: ${error.message}\n${stderr.slice(-4_000)}`));
      else resolve(JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Report);
    });
  });
}

describe("the gates of hostile input", () => {
  it("FR1 FR8 report what a broken parser does", () => {
    expect(faults.uncaught.map((text) => text.split("\n")[0])).toEqual([
      expect.stringContaining("TypeError: thrown later"),
      expect.stringContaining("TypeError: rejected"),
    ]);
    expect(faults.failures).toEqual([expect.stringContaining("thrown in a tool")]);
    expect(faults.stalls).toEqual([{ name: "fault blocks", ms: expect.any(Number) }]);
    expect(faults.stalls[0]?.ms).toBeGreaterThan(MAX_STALL_MS);
  });
});

describe("hostile input of every kind", () => {
  it("FR1 FR8 gate: causes no uncaught exception and no unhandled rejection", () => {
    expect(report.count).toBeGreaterThanOrEqual(500);
    expect(report.uncaught).toEqual([]);
    expect(report.failures).toEqual([]);
  });

  it("FR1 gate: reaches the parser of every kind of input", () => {
    const kinds = Object.entries(report.successes);
    expect(kinds.length).toBeGreaterThanOrEqual(14);
    // A kind whose every input is refused proves nothing.
    expect(kinds.filter(([, succeeded]) => succeeded === 0)).toEqual([]);
  });

  it(`FR2 FR3 FR8 gate: stalls the event loop for at most ${MAX_STALL_MS} ms`, () => {
    const stalls = report.stalls.filter(({ ms }) => ms > MAX_STALL_MS);
    expect(stalls).toEqual([]);
  });
});
