import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertBuilt, scratchFolder } from "./built.js";
import { ROOT } from "./source-files.js";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const SNIPPET = /<!-- snippet: ([\w-]+) -->\n```js\n([\s\S]*?)```\n```text\n([\s\S]*?)```/g;

// Every program in the README is run as it stands and prints what the README says it prints.
describe("README", () => {
  const snippets = [...README.matchAll(SNIPPET)].map(([, name = "", code = "", output = ""]) => ({
    name,
    code,
    output,
  }));

  it("marks all of its programs, so that none is left out", () => {
    expect(snippets.map(({ name }) => name)).toEqual(["call", "own-tool", "roles"]);
    expect(README.match(/```(?:js|ts|javascript|typescript)\n/g)).toHaveLength(snippets.length);
  });

  it.each(snippets)("$name prints what it says", ({ code, output }) => {
    assertBuilt("runtime-node");
    const folder = scratchFolder("readme");
    try {
      const workspace = join(folder, "workspace");
      mkdirSync(workspace);
      writeFileSync(join(workspace, "hello.txt"), "hello\n");
      writeFileSync(join(folder, "snippet.mjs"), code);
      const env = { ...process.env, XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1" };
      expect(
        execFileSync(process.execPath, ["../snippet.mjs"], { cwd: workspace, encoding: "utf8", env }),
      ).toBe(output);
      expect(readFileSync(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
