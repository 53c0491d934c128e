import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execaSync } from "execa";
import { describe, expect, it } from "vitest";
import { ROOT } from "./source-files.js";

// Runs in its own process, because vitest inspects imported modules.
const SCRIPT = `
import { functionsOf, standIn } from ${JSON.stringify(pathToFileURL(join(ROOT, "tooling/bundle/stand-in.mjs")).href)};
globalThis.library = { add: (a, b) => a + b, Base: class { static kind = "base"; }, version: 1 };
globalThis.loads = 0;
const source = standIn(functionsOf(library), "(globalThis.loads += 1, globalThis.library)");
const made = await import("data:text/javascript," + encodeURIComponent(source));
`;

/** Evaluates an expression in which `made` is a stand-in for a library. */
function found(expression: string): unknown {
  const whole = `${SCRIPT} console.log(JSON.stringify(${expression}));`;
  return JSON.parse(execaSync(process.execPath, ["--input-type=module", "-e", whole]).stdout);
}

describe("a stand-in for a library", () => {
  it("loads it once, when a function is called, constructed or inspected", () => {
    expect(
      found("[loads, made.add(1, 2), made.Base.kind, new made.Base() instanceof made.Base, loads]"),
    ).toEqual([0, 3, "base", true, 1]);
  });

  it("has its functions, and nothing else", () => {
    expect(found("[Object.keys(made), loads]")).toEqual([["Base", "add", "default"], 0]);
  });

  it("can be extended by a class", () => {
    const own = "new (class Own extends made.Base { ring() { return 'rung'; } })()";
    expect(
      found(`((own) => [own.constructor.name, own instanceof made.Base, own.ring?.()])(${own})`),
    ).toEqual(["Own", true, "rung"]);
  });
});
