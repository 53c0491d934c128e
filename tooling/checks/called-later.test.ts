import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { ROOT } from "./source-files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-later-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("modules that are called later", () => {
  it("are loaded together by the first call of one, and know the modules around them", () => {
    write(
      "main.ts",
      'import { twice } from "./twice.js";\nconsole.log("starts");\nconsole.log(twice(21));\n',
    );
    write(
      "twice.ts",
      'import { sum } from "./sum.js";\nconsole.log("loaded");\nexport function twice(one: number): number {\n  return sum(one, one);\n}\n',
    );
    write("sum.ts", "export function sum(one: number, other: number): number {\n  return one + other;\n}\n");
    expect(builtAndRun(["twice.ts", "sum.ts"])).toBe("starts\nloaded\n42\n");
  });

  it("can be generators and asynchronous", () => {
    write(
      "main.ts",
      'import { count, wait } from "./later.js";\nvoid wait().then((said) => console.log(...count(2), said));\n',
    );
    write(
      "later.ts",
      'export function* count(to: number) {\n  for (let each = 0; each < to; each++) yield each;\n}\nexport async function wait() {\n  return "waited";\n}\n',
    );
    expect(builtAndRun(["later.ts"])).toBe("0 1 waited\n");
  });

  it("are loaded by no short command", () => {
    assertBuilt("cli");
    const hook = join(folder, "hook.cjs");
    write("hook.cjs", HOOK);
    write("a.txt", "one\n");
    mkdirSync(join(folder, "state"), { mode: 0o700 });
    const haft = (...args: string[]) =>
      execFileSync(process.execPath, ["-r", hook, join(ROOT, "packages/cli/bin/haft.js"), ...args], {
        cwd: folder,
        env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    for (const args of [
      ["--help"],
      ["tools"],
      ["call", "grep", '{"pattern":"one"}'],
      ["call", "read_file", '{"path":"a.txt"}'],
    ])
      expect(haft(...args), args.join(" ")).toMatch(/READ: no$/);
    expect(haft("call", "write_file", '{"path":"b.txt","content":"two\\n"}', "--approve", "all")).toMatch(
      /READ: yes$/,
    );
  });
});

const HOOK = `
const fs = require("node:fs");
const read = fs.readFileSync;
let seen = "no";
fs.readFileSync = (file, ...rest) => {
  if (String(file).endsWith("later.cjs")) seen = "yes";
  return read(file, ...rest);
};
process.on("exit", () => fs.writeSync(1, "READ: " + seen));
`;

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Bundles main.ts in a process of its own, as the build does, and runs it. */
function builtAndRun(later: readonly string[]): string {
  const place = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
  const script = `
    import { createRequire } from "node:module";
    import { calledLater, LATER } from ${place("tooling/bundle/called-later.mjs")};
    const { rolldown } = createRequire(${place("package.json")})("rolldown");
    const bundle = await rolldown({
      cwd: ${JSON.stringify(folder)},
      input: { main: "./main.ts", later: LATER },
      platform: "node",
      resolve: { extensionAlias: { ".js": [".ts"] } },
      plugins: [calledLater(${JSON.stringify(later.map((name) => join(folder, name)))})],
    });
    await bundle.write({ dir: "out", format: "cjs", entryFileNames: "[name].cjs" });
    await bundle.close();`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  return execFileSync(process.execPath, [join(folder, "out/main.cjs")], { encoding: "utf8" });
}
